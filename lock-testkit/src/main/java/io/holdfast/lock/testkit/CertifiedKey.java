package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate and the key that belongs to it, by {@link Certificates}; as PEM, or in a file of the JDK's. */
public final class CertifiedKey {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private final X509Certificate certificate;
    private final PrivateKey key;

    CertifiedKey(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey key() {
        return key;
    }

    /** The certificate, as the text of a PEM file. */
    public String certificatePem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /** The key, as the text of a PEM file (PKCS#8, not encrypted). */
    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /**
     * Writes both into a file that one password opens.
     *
     * @param type {@code PKCS12} or {@code JKS}
     */
    public Path writeStore(Path file, String type, String password) {
        return write(file, type, password, store -> fill(store, password));
    }

    /** What goes into a store. */
    interface Content {
        void into(KeyStore store) throws GeneralSecurityException;
    }

    static Path write(Path file, String type, String password, Content content) {
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyStore store = KeyStore.getInstance(type);
            store.load(null, null);
            content.into(store);
            store.store(out, password.toCharArray());
            return file;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM can't fill a key store of the type " + type, e);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + file, e);
        }
    }

    /** A context for a server that shows this certificate. */
    public SSLContext serverContext() {
        try {
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(store(""), new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM can't make a context for TLS", e);
        }
    }

    KeyStore store(String password) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        fill(store, password);
        return store;
    }

    private void fill(KeyStore store, String password) throws GeneralSecurityException {
        store.setKeyEntry("key", key, password.toCharArray(), new Certificate[] {certificate});
    }

    static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Text of a PEM file with one block. */
    public static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + new String(LINES.encode(content), StandardCharsets.US_ASCII)
                + "\n-----END " + label + "-----\n";
    }

    static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read can be written", e);
        }
    }
}
