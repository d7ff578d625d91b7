package io.holdfast.lock.netty.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.UnrecoverableKeyException;
import java.util.Collections;
import java.util.List;

/** A JKS or PKCS12 file; which of them it is, its content tells. */
final class StoreFile {

    private static final String EXPECTED = "a JKS or PKCS12 file";

    private final SourceFile file;
    private final char[] password;

    StoreFile(SourceFile file, String password) {
        this.file = file;
        this.password = password.toCharArray();
    }

    /** The store with its private key, and with the certificates that belong to it. */
    KeyStore withKey() {
        KeyStore store = open();
        if (aliases(store).stream().noneMatch(alias -> isKey(store, alias))) {
            throw file.refused("holds no private key", EXPECTED + " with one");
        }
        return store;
    }

    /** The store with certificates of authorities. */
    KeyStore withAuthorities() {
        KeyStore store = open();
        if (aliases(store).stream().noneMatch(alias -> isCertificate(store, alias))) {
            throw file.refused("holds no certificate of an authority", EXPECTED + " with one");
        }
        return store;
    }

    private KeyStore open() {
        // What is missing or too large is told before the JDK tells of it.
        file.read(EXPECTED);
        try {
            return KeyStore.getInstance(file.path().toFile(), password);
        } catch (IOException failed) {
            if (failed.getCause() instanceof UnrecoverableKeyException) {
                throw file.refused("has another password", "the password of this file", failed);
            }
            throw file.refused("can't be read", EXPECTED, failed);
        } catch (GeneralSecurityException unknown) {
            throw file.refused("is of another kind", EXPECTED, unknown);
        }
    }

    private List<String> aliases(KeyStore store) {
        try {
            return Collections.list(store.aliases());
        } catch (KeyStoreException impossible) {
            throw file.refused("can't be read", EXPECTED, impossible);
        }
    }

    private boolean isKey(KeyStore store, String alias) {
        try {
            return store.isKeyEntry(alias);
        } catch (KeyStoreException impossible) {
            throw file.refused("can't be read", EXPECTED, impossible);
        }
    }

    private boolean isCertificate(KeyStore store, String alias) {
        try {
            return store.isCertificateEntry(alias);
        } catch (KeyStoreException impossible) {
            throw file.refused("can't be read", EXPECTED, impossible);
        }
    }
}
