package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that a client trusts and presents on connections with TLS, which it makes if the address begins with
 * {@code rediss://}. Immutable.
 *
 * <table>
 *   <caption>Defaults</caption>
 *   <tr><th>option</th><th>default</th><th>meaning</th></tr>
 *   <tr><td>trustCertificates</td><td>none</td><td>a PEM file with the authorities to trust, in place of the JVM's</td></tr>
 *   <tr><td>trustStore</td><td>none</td><td>a JKS or PKCS12 file with the authorities to trust, in place of the JVM's</td></tr>
 *   <tr><td>certificate</td><td>none</td><td>PEM files with the client's certificate and its key, for servers that want one</td></tr>
 *   <tr><td>keyStore</td><td>none</td><td>a JKS or PKCS12 file with the client's certificate and its key</td></tr>
 *   <tr><td>sslContext</td><td>none</td><td>an {@link SSLContext} in place of all of these</td></tr>
 *   <tr><td>protocols</td><td>TLSv1.3, TLSv1.2</td><td>the versions of TLS that may be spoken</td></tr>
 *   <tr><td>serverName</td><td>none</td><td>the name that the server's certificate must have, in place of the address's host</td></tr>
 *   <tr><td>verifySeedName</td><td>false</td><td>where a Sentinel announces an IP address, the certificate must have the name of the first Sentinel in the address</td></tr>
 * </table>
 *
 * <p>The files are read when a client connects, and again for a new connection when they have changed.
 */
public final class TlsOptions {

    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
    private static final TlsOptions DEFAULTS = new Builder().build();

    private final Optional<Path> trustCertificates;
    private final Optional<Path> trustStore;
    private final Optional<String> trustStorePassword;
    private final Optional<Path> certificate;
    private final Optional<Path> key;
    private final Optional<String> keyPassword;
    private final Optional<Path> keyStore;
    private final Optional<String> keyStorePassword;
    private final Optional<SSLContext> sslContext;
    private final List<String> protocols;
    private final Optional<String> serverName;
    private final boolean verifySeedName;

    private TlsOptions(Builder builder) {
        this.trustCertificates = builder.trustCertificates;
        this.trustStore = builder.trustStore;
        this.trustStorePassword = builder.trustStorePassword;
        this.certificate = builder.certificate;
        this.key = builder.key;
        this.keyPassword = builder.keyPassword;
        this.keyStore = builder.keyStore;
        this.keyStorePassword = builder.keyStorePassword;
        this.sslContext = builder.sslContext;
        this.protocols = builder.protocols;
        this.serverName = builder.serverName;
        this.verifySeedName = builder.verifySeedName;
    }

    /** The JVM's own trust store, no certificate of the client, TLS 1.3 and 1.2. */
    public static TlsOptions defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.trustCertificates = trustCertificates;
        builder.trustStore = trustStore;
        builder.trustStorePassword = trustStorePassword;
        builder.certificate = certificate;
        builder.key = key;
        builder.keyPassword = keyPassword;
        builder.keyStore = keyStore;
        builder.keyStorePassword = keyStorePassword;
        builder.sslContext = sslContext;
        builder.protocols = protocols;
        builder.serverName = serverName;
        builder.verifySeedName = verifySeedName;
        return builder;
    }

    public Optional<Path> trustCertificates() {
        return trustCertificates;
    }

    public Optional<Path> trustStore() {
        return trustStore;
    }

    public Optional<String> trustStorePassword() {
        return trustStorePassword;
    }

    public Optional<Path> certificate() {
        return certificate;
    }

    public Optional<Path> key() {
        return key;
    }

    public Optional<String> keyPassword() {
        return keyPassword;
    }

    public Optional<Path> keyStore() {
        return keyStore;
    }

    public Optional<String> keyStorePassword() {
        return keyStorePassword;
    }

    public Optional<SSLContext> sslContext() {
        return sslContext;
    }

    public List<String> protocols() {
        return protocols;
    }

    public Optional<String> serverName() {
        return serverName;
    }

    public boolean verifySeedName() {
        return verifySeedName;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TlsOptions that
                && trustCertificates.equals(that.trustCertificates)
                && trustStore.equals(that.trustStore)
                && trustStorePassword.equals(that.trustStorePassword)
                && certificate.equals(that.certificate)
                && key.equals(that.key)
                && keyPassword.equals(that.keyPassword)
                && keyStore.equals(that.keyStore)
                && keyStorePassword.equals(that.keyStorePassword)
                && sslContext.equals(that.sslContext)
                && protocols.equals(that.protocols)
                && serverName.equals(that.serverName)
                && verifySeedName == that.verifySeedName;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                trustCertificates,
                trustStore,
                trustStorePassword,
                certificate,
                key,
                keyPassword,
                keyStore,
                keyStorePassword,
                sslContext,
                protocols,
                serverName,
                verifySeedName);
    }

    /** The options, without their passwords. */
    @Override
    public String toString() {
        return "TlsOptions{trustCertificates=" + shown(trustCertificates)
                + ", trustStore=" + shown(trustStore)
                + ", certificate=" + shown(certificate)
                + ", key=" + shown(key)
                + ", keyStore=" + shown(keyStore)
                + ", sslContext=" + (sslContext.isPresent() ? "given" : "none")
                + ", protocols=" + Printable.of(protocols)
                + ", serverName=" + shown(serverName)
                + ", verifySeedName=" + verifySeedName + '}';
    }

    private static String shown(Optional<?> value) {
        return value.isPresent() ? Printable.of(value.get()) : "none";
    }

    /** Collects options; {@link #build} checks that they fit together. */
    public static final class Builder {

        private Optional<Path> trustCertificates = Optional.empty();
        private Optional<Path> trustStore = Optional.empty();
        private Optional<String> trustStorePassword = Optional.empty();
        private Optional<Path> certificate = Optional.empty();
        private Optional<Path> key = Optional.empty();
        private Optional<String> keyPassword = Optional.empty();
        private Optional<Path> keyStore = Optional.empty();
        private Optional<String> keyStorePassword = Optional.empty();
        private Optional<SSLContext> sslContext = Optional.empty();
        private List<String> protocols = PROTOCOLS;
        private Optional<String> serverName = Optional.empty();
        private boolean verifySeedName;

        private Builder() {}

        /** A PEM file with the certificates of the authorities to trust, in place of the JVM's own trust store. */
        public Builder trustCertificates(Path pem) {
            this.trustCertificates = Optional.of(Objects.requireNonNull(pem, "trustCertificates"));
            return this;
        }

        /** A JKS or PKCS12 file with the authorities to trust, in place of the JVM's own trust store. */
        public Builder trustStore(Path file, String password) {
            this.trustStore = Optional.of(Objects.requireNonNull(file, "trustStore"));
            this.trustStorePassword = Optional.of(Objects.requireNonNull(password, "trustStorePassword"));
            return this;
        }

        /** Takes both back: the JVM's own trust store is used. */
        public Builder trustOfTheJvm() {
            this.trustCertificates = Optional.empty();
            this.trustStore = Optional.empty();
            this.trustStorePassword = Optional.empty();
            return this;
        }

        /**
         * The client's certificate, for servers that want one.
         *
         * @param chain a PEM file with the certificate, and behind it those of the authorities between it and the one
         *     that the server trusts
         * @param key a PEM file with the key, which may be the same file
         */
        public Builder certificate(Path chain, Path key) {
            this.certificate = Optional.of(Objects.requireNonNull(chain, "certificate"));
            this.key = Optional.of(Objects.requireNonNull(key, "key"));
            this.keyPassword = Optional.empty();
            return this;
        }

        /** As {@link #certificate(Path, Path)}, with the password of a key that is encrypted. */
        public Builder certificate(Path chain, Path key, String password) {
            Objects.requireNonNull(password, "keyPassword");
            certificate(chain, key);
            this.keyPassword = Optional.of(password);
            return this;
        }

        /** A JKS or PKCS12 file with the client's certificate and its key; one password opens the file and the key. */
        public Builder keyStore(Path file, String password) {
            this.keyStore = Optional.of(Objects.requireNonNull(file, "keyStore"));
            this.keyStorePassword = Optional.of(Objects.requireNonNull(password, "keyStorePassword"));
            return this;
        }

        /** Takes the client's certificate back, whichever file it was in. */
        public Builder noCertificate() {
            this.certificate = Optional.empty();
            this.key = Optional.empty();
            this.keyPassword = Optional.empty();
            this.keyStore = Optional.empty();
            this.keyStorePassword = Optional.empty();
            return this;
        }

        /**
         * A context of your own, in place of all files. Its trust manager decides what is trusted; one that does no more
         * than {@link javax.net.ssl.X509TrustManager} asks for still has the server's name verified for it.
         */
        public Builder sslContext(SSLContext sslContext) {
            this.sslContext = Optional.of(Objects.requireNonNull(sslContext, "sslContext"));
            return this;
        }

        /** Takes the context back. */
        public Builder noSslContext() {
            this.sslContext = Optional.empty();
            return this;
        }

        /** The versions of TLS that may be spoken: {@code TLSv1.3}, {@code TLSv1.2} or both. */
        public Builder protocols(String... protocols) {
            this.protocols = List.of(protocols);
            for (String protocol : protocols) {
                if (!PROTOCOLS.contains(protocol)) {
                    throw new IllegalArgumentException(
                            "protocols: '" + Printable.of(protocol) + "' (expected: TLSv1.3 or TLSv1.2)");
                }
            }
            if (protocols.length == 0) {
                throw new IllegalArgumentException("protocols: none (expected: TLSv1.3, TLSv1.2 or both)");
            }
            return this;
        }

        /**
         * The name, or the IP address, that the server's certificate must have. It is also the name that the client
         * asks for (SNI). For addresses that no certificate names, such as those that a Sentinel announces.
         */
        public Builder serverName(String serverName) {
            this.serverName = Optional.of(Options.host("serverName", serverName));
            return this;
        }

        /** Takes the name back: the host of the address is verified. */
        public Builder noServerName() {
            this.serverName = Optional.empty();
            return this;
        }

        /**
         * Verifies a server that a Sentinel announces by an IP address against the host of the first Sentinel in the client's
         * address, in place of that IP address. Use it if certificates have names only, and all have one in common. Host names that are announced are verified as ever, and a {@link #serverName} goes
         * before. Refused with an address that does not name Sentinels.
         */
        public Builder verifySeedName(boolean verifySeedName) {
            this.verifySeedName = verifySeedName;
            return this;
        }

        /** The options; throws {@link IllegalArgumentException} if they contradict each other. */
        public TlsOptions build() {
            Options.notBoth("trustCertificates", trustCertificates, "trustStore", trustStore);
            Options.notBoth("certificate", certificate, "keyStore", keyStore);
            Options.notBoth("sslContext", sslContext, "trustCertificates", trustCertificates);
            Options.notBoth("sslContext", sslContext, "trustStore", trustStore);
            Options.notBoth("sslContext", sslContext, "certificate", certificate);
            Options.notBoth("sslContext", sslContext, "keyStore", keyStore);
            return new TlsOptions(this);
        }
    }
}
