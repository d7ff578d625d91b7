package io.holdfast.lock.netty.credentials;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The login that stands in the address, or none. */
public final class FixedLogins implements Logins {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final @Nullable Login login;

    /** What an address says; no password where the server is to be told nothing. */
    public FixedLogins(@Nullable String user, @Nullable String password) {
        this.login = password == null ? null : Login.fixed(user, password);
    }

    @Override
    public Request forConnection(long patienceNanos, Executor loop, Receiver receiver) {
        receiver.login(login);
        return Request.ANSWERED;
    }

    @Override
    public Request after(Login earlier, long patienceNanos, Executor loop, Receiver receiver) {
        receiver.noLogin("the password is the address's own");
        return Request.ANSWERED;
    }

    @Override
    public Request whenGiven(@Nullable Login earlier, Executor loop, Receiver receiver) {
        return Request.ANSWERED;
    }

    @Override
    public long pauseNanos() {
        return PAUSE_NANOS;
    }

    @Override
    public void close() {
        // Nothing is under way.
    }

    @Override
    public String toString() {
        return "FixedLogins{" + (login == null ? "none" : login.toString()) + '}';
    }
}
