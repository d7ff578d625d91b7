package io.holdfast.lock;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Credentials that never change. */
final class FixedCredentials implements CredentialsProvider {

    private final Credentials credentials;

    FixedCredentials(Credentials credentials) {
        this.credentials = Objects.requireNonNull(credentials, "credentials");
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        return CompletableFuture.completedFuture(credentials);
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FixedCredentials that && credentials.equals(that.credentials);
    }

    @Override
    public int hashCode() {
        return credentials.hashCode();
    }

    @Override
    public String toString() {
        return "FixedCredentials{" + credentials + '}';
    }
}
