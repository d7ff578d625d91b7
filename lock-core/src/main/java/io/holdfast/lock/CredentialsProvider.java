package io.holdfast.lock;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A source of a client's {@link Credentials}, asked for every connection, and again before they expire. Then the client
 * says who it is on its living connections, which stand.
 *
 * <p>Each call has a thread of its own, which no callback keeps busy. There is one call at a time unless one goes unanswered,
 * and it may complete the stage on any thread. While it fails or does not answer, the client uses what it gave before, and says so once in the
 * log. What it throws is not shown, because it may hold the secret; only a {@link CredentialsUnavailableException} is.
 */
@FunctionalInterface
public interface CredentialsProvider {

    /** The credentials for now. */
    CompletionStage<Credentials> credentials();

    /**
     * How often it is asked besides, for credentials that change and do not say when they expire. Empty: only for
     * connections and before an expiry.
     */
    default Optional<Duration> interval() {
        return Optional.empty();
    }

    /**
     * True if {@link #credentials} may wait for anything; the stage that it returns may take its time in any case. One that
     * never waits, not even for a lock or a file, may say so: then it is called on the threads of the connections, and has none
     * of its own. Asked once for each client.
     */
    default boolean mayBlock() {
        return true;
    }

    /** A user and a password that never change. */
    static CredentialsProvider of(String user, String password) {
        return of(Credentials.of(user, password));
    }

    /** Credentials that never change. */
    static CredentialsProvider of(Credentials credentials) {
        return new FixedCredentials(credentials);
    }

    /**
     * The default user, with the password in a file, which holds nothing else; a byte order mark before it and one line
     * end after it are taken off. It is read for every connection and every 30 s.
     */
    static CredentialsProvider file(Path password) {
        return new PasswordFile(Optional.empty(), password);
    }

    /** The same for a user. */
    static CredentialsProvider file(String user, Path password) {
        return new PasswordFile(Optional.of(user), password);
    }

    /** The default user, with the password in a variable of the environment. The name is given, not the password. */
    static CredentialsProvider variable(String passwordVariable) {
        return new PasswordVariable(Optional.empty(), passwordVariable);
    }

    /** User and password in variables of the environment. The names are given of both. */
    static CredentialsProvider variable(String userVariable, String passwordVariable) {
        return new PasswordVariable(Optional.of(userVariable), passwordVariable);
    }

    /** Credentials of a supplier, which may block, for instance in a call to a token server. */
    static CredentialsProvider supplier(Supplier<Credentials> supplier) {
        return new SuppliedCredentials(supplier);
    }
}
