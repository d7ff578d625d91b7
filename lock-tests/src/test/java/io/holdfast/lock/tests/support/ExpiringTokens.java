package io.holdfast.lock.tests.support;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cloud that is strict with its tokens: each is a user of its own, which is deleted when its time is over, and with it
 * all connections that have not logged in anew.
 */
public final class ExpiringTokens implements CredentialsProvider, AutoCloseable {

    /** So much longer a token is taken than it says: a busy machine may stand still for a while. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final RawRedis raw;
    private final Duration life;
    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger expired = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    public ExpiringTokens(RedisServer server, Duration life) {
        this.raw = server.connect();
        this.life = life;
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        return CompletableFuture.supplyAsync(this::token, clock);
    }

    /** How many tokens there were. */
    public int given() {
        return given.get();
    }

    /** How many of them are over. */
    public int expired() {
        return expired.get();
    }

    /** How many connections had a token that was over. */
    public int cut() {
        return cut.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        raw.close();
    }

    private Credentials token() {
        given.incrementAndGet();
        String user = "token-" + NAMES.incrementAndGet();
        String password = "canary-" + user;
        raw.command("ACL", "SETUSER", user, "on", ">" + password, "+@all", "~*", "&*");
        clock.schedule(() -> expire(user), life.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        return Credentials.of(user, password).expiringAt(Instant.now().plus(life));
    }

    private void expire(String user) {
        long connections = raw.clients().stream()
                .filter(client -> user.equals(client.get("user")))
                .count();
        cut.addAndGet((int) connections);
        raw.command("ACL", "DELUSER", user);
        expired.incrementAndGet();
    }
}
