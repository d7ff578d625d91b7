package io.holdfast.lock.options;

import io.holdfast.lock.TlsOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Options of TLS in the making. The builder takes a file and its password in one call; texts come one by one, in any
 * order.
 */
final class TlsDraft {

    static final String ROOM = "tls.";

    private final String room;
    private final TlsOptions.Builder builder = TlsOptions.builder();

    private @Nullable Path trustCertificates;
    private @Nullable Path trustStore;
    private @Nullable String trustStorePassword;
    private @Nullable Path certificate;
    private @Nullable Path key;
    private @Nullable String keyPassword;
    private @Nullable Path keyStore;
    private @Nullable String keyStorePassword;

    /** @param room what stands before the names of the options */
    TlsDraft(String room) {
        this.room = room;
    }

    TlsOptions.Builder builder() {
        return builder;
    }

    void trustCertificates(Path file) {
        trustCertificates = file;
    }

    void trustStore(Path file) {
        trustStore = file;
    }

    void trustStorePassword(String password) {
        trustStorePassword = password;
    }

    void certificate(Path file) {
        certificate = file;
    }

    void key(Path file) {
        key = file;
    }

    void keyPassword(String password) {
        keyPassword = password;
    }

    void keyStore(Path file) {
        keyStore = file;
    }

    void keyStorePassword(String password) {
        keyStorePassword = password;
    }

    /** The options; throws {@link IllegalArgumentException} if they contradict each other, or one lacks another. */
    TlsOptions build() {
        notBoth("trustCertificates", trustCertificates, "trustStore", trustStore);
        notBoth("certificate", certificate, "keyStore", keyStore);
        if (trustCertificates != null) {
            builder.trustCertificates(trustCertificates);
        }
        if (trustStore != null && trustStorePassword != null) {
            builder.trustStore(trustStore, trustStorePassword);
        } else {
            both("trustStore", trustStore, "trustStorePassword", trustStorePassword);
        }
        if (certificate != null && key != null && keyPassword != null) {
            builder.certificate(certificate, key, keyPassword);
        } else if (certificate != null && key != null) {
            builder.certificate(certificate, key);
        } else {
            both("certificate", certificate, "key", key);
            both("keyPassword", keyPassword, "key", key);
        }
        if (keyStore != null && keyStorePassword != null) {
            builder.keyStore(keyStore, keyStorePassword);
        } else {
            both("keyStore", keyStore, "keyStorePassword", keyStorePassword);
        }
        return builder.build();
    }

    /** Refuses the two together. */
    private void notBoth(String name, @Nullable Object value, String otherName, @Nullable Object other) {
        if (value != null && other != null) {
            throw new IllegalArgumentException(
                    room + name + " contradicts " + room + otherName + " (expected: one of them)");
        }
    }

    /** Refuses one of the two without the other. */
    private void both(String name, @Nullable Object value, String otherName, @Nullable Object other) {
        if (value != null || other != null) {
            String given = value != null ? name : otherName;
            String missing = value != null ? otherName : name;
            throw new IllegalArgumentException(room + given + " without " + room + missing + " (expected: both)");
        }
    }
}
