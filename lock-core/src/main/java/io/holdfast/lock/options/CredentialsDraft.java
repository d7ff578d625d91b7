package io.holdfast.lock.options;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Who the client is, in the making: a user or none, and a password or the file that has it. */
final class CredentialsDraft {

    private @Nullable String user;
    private @Nullable String password;
    private @Nullable Path passwordFile;

    void user(String text) {
        user = text;
    }

    void password(String text) {
        password = text;
    }

    void passwordFile(Path file) {
        passwordFile = file;
    }

    /** Sets the credentials, if there are any; throws {@link IllegalArgumentException} if they are no pair. */
    void addTo(ClientOptions.Builder client) {
        if (password != null && passwordFile != null) {
            throw new IllegalArgumentException("password contradicts passwordFile (expected: one of them)");
        }
        if (passwordFile != null) {
            client.credentials(
                    user == null
                            ? CredentialsProvider.file(passwordFile)
                            : CredentialsProvider.file(user, passwordFile));
        } else if (password != null) {
            client.credentials(CredentialsProvider.of(
                    user == null ? Credentials.ofPassword(password) : Credentials.of(user, password)));
        } else if (user != null) {
            throw new IllegalArgumentException("user without a password (expected: password or passwordFile, too)");
        }
    }
}
