package io.holdfast.lock.testkit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * An authority that signs certificates for tests, made when a test needs it.
 *
 * <pre>{@code
 * Certificates authority = Certificates.newAuthority();
 * CertifiedKey server = authority.server("localhost", "127.0.0.1");
 * CertifiedKey old = authority.expired("localhost", "127.0.0.1");
 * CertifiedKey orders = authority.client("orders");
 * Files.writeString(file, authority.pem());
 * }</pre>
 *
 * <p>Two authorities have nothing in common, also where they have one name. Keys are of the curve P-256.
 */
public final class Certificates {
    private static final Duration LIFE = Duration.ofDays(2);

    private final KeyPair keys;
    private final String name;
    private final X509Certificate certificate;

    private Certificates(KeyPair keys, String name) {
        this.keys = keys;
        this.name = name;
        this.certificate = sign(keys.getPublic(), name, name, keys.getPrivate(), hoursFromNow(-1), true, List.of());
    }

    /** Makes an authority that none but its own tests trust. */
    public static Certificates newAuthority() {
        return new Certificates(newKeys(), "Test authority");
    }

    /** A certificate for a server with these names and IP addresses. */
    public CertifiedKey server(String... namesAndAddresses) {
        return signed(newKeys(), namesAndAddresses[0], hoursFromNow(-1), List.of(namesAndAddresses));
    }

    /** The same, for a certificate that ended an hour ago. */
    public CertifiedKey expired(String... namesAndAddresses) {
        Instant begin = hoursFromNow(-1).minus(LIFE);
        return signed(newKeys(), namesAndAddresses[0], begin, List.of(namesAndAddresses));
    }

    /** The same, for a certificate that begins in an hour. */
    public CertifiedKey notYetValid(String... namesAndAddresses) {
        return signed(newKeys(), namesAndAddresses[0], hoursFromNow(1), List.of(namesAndAddresses));
    }

    /** A certificate for a client. */
    public CertifiedKey client(String clientName) {
        return signed(newKeys(), clientName, hoursFromNow(-1), List.of());
    }

    /** A certificate for a client that has brought its own keys; they must be a pair. */
    public CertifiedKey client(String clientName, KeyPair clientKeys) {
        return signed(clientKeys, clientName, hoursFromNow(-1), List.of());
    }

    /** The authority's own certificate. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** The authority's own certificate, as the text of a PEM file. */
    public String pem() {
        return CertifiedKey.pem("CERTIFICATE", CertifiedKey.encoded(certificate));
    }

    /**
     * Writes the authority's own certificate into a file that a password opens.
     *
     * @param type {@code PKCS12} or {@code JKS}
     */
    public Path writeStore(Path file, String type, String password) {
        return CertifiedKey.write(file, type, password, store -> store.setCertificateEntry("authority", certificate));
    }

    /**
     * A context for clients that trust this authority and no other.
     *
     * @param shown what the client shows to the server; null for nothing
     */
    public SSLContext clientContext(@Nullable CertifiedKey shown) {
        try {
            KeyStore authorities = CertifiedKey.emptyStore();
            authorities.setCertificateEntry("authority", certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(shown == null ? CertifiedKey.emptyStore() : shown.store(""), new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM can't make a context for TLS", e);
        }
    }

    /** The authority's name; another authority may have the same. */
    @Override
    public String toString() {
        return name;
    }

    private CertifiedKey signed(KeyPair pair, String subject, Instant begin, List<String> namesAndAddresses) {
        X509Certificate signed =
                sign(pair.getPublic(), subject, name, keys.getPrivate(), begin, false, namesAndAddresses);
        return new CertifiedKey(signed, pair.getPrivate());
    }

    private static X509Certificate sign(
            PublicKey key,
            String subject,
            String issuer,
            PrivateKey signer,
            Instant begin,
            boolean authority,
            List<String> namesAndAddresses) {
        byte[] content = DerWriter.certificateContent(
                new BigInteger(64, new SecureRandom()),
                issuer,
                subject,
                begin,
                begin.plus(LIFE),
                key.getEncoded(),
                authority,
                namesAndAddresses);
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(signer);
            signature.update(content);
            byte[] encoded = DerWriter.certificate(content, signature.sign());
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM can't sign a certificate", e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM can't make keys", e);
        }
    }

    private static Instant hoursFromNow(int hours) {
        return Instant.now().plus(Duration.ofHours(hours));
    }
}
