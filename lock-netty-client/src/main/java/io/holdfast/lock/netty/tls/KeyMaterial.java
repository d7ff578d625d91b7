package io.holdfast.lock.netty.tls;

import io.holdfast.lock.TlsOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * What the files of a client's options hold, as an engine takes it.
 *
 * @param keys the client's certificate and its key; empty if it shows none
 * @param trust the authorities to trust
 */
record KeyMaterial(Optional<KeyManagerFactory> keys, TrustManagerFactory trust) {

    /** The passwords of stores in memory guard nothing. */
    private static final char[] NO_PASSWORD = new char[0];

    private static final byte[] ANYTHING = new byte[32];

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException with a sentence on what is wrong with one of them
     */
    static KeyMaterial read(TlsOptions options) {
        try {
            return new KeyMaterial(keys(options), trust(options));
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalArgumentException("tls: this JVM can't use the keys or certificates given", unusable);
        }
    }

    /** The files that the options name. */
    static List<SourceFile> files(TlsOptions options) {
        return java.util.stream.Stream.of(
                        options.trustCertificates().map(path -> new SourceFile("trustCertificates", path)),
                        options.trustStore().map(path -> new SourceFile("trustStore", path)),
                        options.certificate().map(path -> new SourceFile("certificate", path)),
                        options.key().map(path -> new SourceFile("key", path)),
                        options.keyStore().map(path -> new SourceFile("keyStore", path)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static TrustManagerFactory trust(TlsOptions options) throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (options.trustCertificates().isPresent()) {
            trust.init(storeOf(new SourceFile(
                            "trustCertificates", options.trustCertificates().get())
                    .certificates()));
        } else if (options.trustStore().isPresent()) {
            SourceFile file = new SourceFile("trustStore", options.trustStore().get());
            trust.init(new StoreFile(file, options.trustStorePassword().orElse("")).withAuthorities());
        } else {
            trust.init((KeyStore) null); // the JVM's own
        }
        return trust;
    }

    private static Optional<KeyManagerFactory> keys(TlsOptions options) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (options.certificate().isPresent() && options.key().isPresent()) {
            SourceFile chainFile =
                    new SourceFile("certificate", options.certificate().get());
            SourceFile keyFile = new SourceFile("key", options.key().get());
            List<X509Certificate> chain = chainFile.certificates();
            PrivateKey key = KeyFile.read(keyFile, options.keyPassword());
            if (!belongTogether(key, chain.get(0).getPublicKey())) {
                throw keyFile.refused(
                        "does not fit the certificate", "the key that belongs to the first certificate of the chain");
            }
            KeyStore store = empty();
            store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
            keys.init(store, NO_PASSWORD);
        } else if (options.keyStore().isPresent()) {
            String password = options.keyStorePassword().orElse("");
            SourceFile file = new SourceFile("keyStore", options.keyStore().get());
            keys.init(new StoreFile(file, password).withKey(), password.toCharArray());
        } else {
            return Optional.empty();
        }
        return Optional.of(keys);
    }

    /** Whether what the one signs, the other verifies. Kinds of keys that can't be asked are taken at their word. */
    private static boolean belongTogether(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (key instanceof RSAKey ours && certified instanceof RSAKey theirs) {
            return ours.getModulus().equals(theirs.getModulus());
        }
        if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
            return false;
        }
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "EdDSA" -> "EdDSA";
                    default -> "";
                };
        if (algorithm.isEmpty()) {
            return true;
        }
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(ANYTHING);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(ANYTHING);
        return signature.verify(signed);
    }

    private static KeyStore storeOf(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return store;
    }

    /** In memory only; a store of the other kind would encrypt a key in ten thousand rounds, and decrypt it again. */
    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }
}
