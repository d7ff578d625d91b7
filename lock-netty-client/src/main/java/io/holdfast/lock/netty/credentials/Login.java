package io.holdfast.lock.netty.credentials;

import io.holdfast.lock.Credentials;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a connection says to AUTH, and when it has to be said anew. Not a record, whose text would show the password. */
public final class Login {

    private static final String DEFAULT_USER = "default";
    private static final Duration LONGEST = Duration.ofDays(365);

    /** So long before they expire, at least, credentials are asked for again, if that leaves half of their time. */
    private static final long LEAST_LEAD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int LEAD_PART = 5;

    /** What is about to expire must not make a client spin. */
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What has expired when it comes shows a clock that is wrong, here or there, and is no better the next time. */
    private static final long EXPIRED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String user;
    private final String password;
    private final long number;
    private final boolean expires;
    private final boolean renewed;
    private final long renewAtNanos;

    private Login(String user, String password, long number, boolean expires, boolean renewed, long renewAtNanos) {
        this.user = user;
        this.password = password;
        this.number = number;
        this.expires = expires;
        this.renewed = renewed;
        this.renewAtNanos = renewAtNanos;
    }

    /** A login that lasts as long as the client. */
    public static Login fixed(@Nullable String user, String password) {
        return new Login(user == null ? DEFAULT_USER : user, password, 0, false, false, 0);
    }

    /**
     * A login that a provider gave.
     *
     * @param number which of the provider's answers it is, from 1
     * @param interval how often the provider wants to be asked besides
     */
    static Login of(Credentials credentials, long number, Optional<Duration> interval, long nowNanos, Instant now) {
        long delayNanos = Long.MAX_VALUE;
        if (credentials.expiry().isPresent()) {
            delayNanos = untilRenewal(Duration.between(now, credentials.expiry().get()));
        }
        if (interval.isPresent()) {
            delayNanos = Math.min(delayNanos, Math.max(SHORTEST_NANOS, nanos(interval.get())));
        }
        boolean renewed = delayNanos != Long.MAX_VALUE;
        return new Login(
                credentials.user().orElse(DEFAULT_USER),
                credentials.password(),
                number,
                credentials.expiry().isPresent(),
                renewed,
                renewed ? nowNanos + delayNanos : 0);
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** Which of the provider's answers it is; 0 if there is no provider. */
    public long number() {
        return number;
    }

    /** Whether there is a time at which another one is to be had. */
    public boolean isRenewed() {
        return renewed;
    }

    /** When that is, if there is one. */
    public long renewAtNanos() {
        return renewAtNanos;
    }

    /** Whether that time has come. */
    public boolean isDue(long nowNanos) {
        return renewed && nowNanos - renewAtNanos >= 0;
    }

    /** Whether the server may have ended its connections, since another one was due before these credentials expired. */
    public boolean mayBeOver(long nowNanos) {
        return expires && isDue(nowNanos);
    }

    public boolean saysTheSameAs(Login other) {
        return user.equals(other.user) && password.equals(other.password);
    }

    @Override
    public String toString() {
        return "Login{number=" + number + ", password=***}";
    }

    private static long untilRenewal(Duration left) {
        if (left.isZero() || left.isNegative()) {
            return EXPIRED_NANOS;
        }
        long leftNanos = nanos(left);
        long leadNanos = Math.max(leftNanos / LEAD_PART, Math.min(LEAST_LEAD_NANOS, leftNanos / 2));
        return Math.max(SHORTEST_NANOS, leftNanos - leadNanos);
    }

    private static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }
}
