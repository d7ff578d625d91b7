package io.holdfast.lock.boot;

import io.holdfast.lock.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS: the options of {@link io.holdfast.lock.TlsOptions}, each by its name.
 *
 * @param bundle name of an SSL bundle of Spring Boot, in place of files
 * @param trustCertificates path of a PEM file with the authorities to trust
 * @param trustStore path of a JKS or PKCS12 file with the authorities to trust
 * @param trustStorePassword its password
 * @param certificate path of a PEM file with the client's certificate
 * @param key path of a PEM file with its key
 * @param keyPassword the key's password, if it is encrypted
 * @param keyStore path of a JKS or PKCS12 file with the client's certificate and its key
 * @param keyStorePassword its password
 * @param protocols versions of TLS that may be spoken
 * @param serverName name that the server's certificate must have, in place of the address's host
 * @param verifySeedName whether a certificate must have the name of the first Sentinel, where a Sentinel announces an IP address
 */
record TlsProperties(
        @Nullable String bundle,
        @Nullable String trustCertificates,
        @Nullable String trustStore,
        @Nullable String trustStorePassword,
        @Nullable String certificate,
        @Nullable String key,
        @Nullable String keyPassword,
        @Nullable String keyStore,
        @Nullable String keyStorePassword,
        @Nullable List<String> protocols,
        @Nullable String serverName,
        @Nullable Boolean verifySeedName) {

    static final String ROOM = "tls.";

    void write(String room, OptionWriter texts) {
        texts.add(room + "trustCertificates", trustCertificates);
        texts.add(room + "trustStore", trustStore);
        texts.add(room + "trustStorePassword", trustStorePassword);
        texts.add(room + "certificate", certificate);
        texts.add(room + "key", key);
        texts.add(room + "keyPassword", keyPassword);
        texts.add(room + "keyStore", keyStore);
        texts.add(room + "keyStorePassword", keyStorePassword);
        texts.add(room + "protocols", protocols);
        texts.add(room + "serverName", serverName);
        texts.add(room + "verifySeedName", verifySeedName);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "TlsProperties{bundle=" + Printable.of(bundle) + "}";
    }
}
