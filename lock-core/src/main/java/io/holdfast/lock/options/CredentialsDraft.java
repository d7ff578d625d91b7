package io.holdfast.lock.options;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who the client is, in the making: a user or none, and a password or the file that has it. */
final class CredentialsDraft {

    private final String room;

    private @Nullable String user;
    private @Nullable String password;
    private @Nullable Path passwordFile;

    /** @param room what stands before the names of the options */
    CredentialsDraft(String room) {
        this.room = room;
    }

    void user(String text) {
        user = text;
    }

    void password(String text) {
        password = text;
    }

    void passwordFile(Path file) {
        passwordFile = file;
    }

    /** The credentials, if there are any; throws {@link IllegalArgumentException} if they are no pair. */
    Optional<CredentialsProvider> build() {
        if (password != null && passwordFile != null) {
            throw new IllegalArgumentException(
                    room + "password contradicts " + room + "passwordFile (expected: one of them)");
        }
        if (passwordFile != null) {
            return Optional.of(
                    user == null
                            ? CredentialsProvider.file(passwordFile)
                            : CredentialsProvider.file(user, passwordFile));
        }
        if (password != null) {
            return Optional.of(CredentialsProvider.of(
                    user == null ? Credentials.ofPassword(password) : Credentials.of(user, password)));
        }
        if (user != null) {
            throw new IllegalArgumentException(room + "user without a " + room + "password (expected: " + room
                    + "password or " + room + "passwordFile, too)");
        }
        return Optional.empty();
    }
}
