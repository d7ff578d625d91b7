package io.holdfast.lock.netty.topology;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A user of a server whose password is another one at each call of the provider: the last two are taken. */
final class Rotation implements CredentialsProvider, AutoCloseable {

    static final String USER = "app";
    private static final String SECRET = "canary-4d1e-";

    private final RawRedis raw;
    private final Duration life;
    private final AtomicInteger calls = new AtomicInteger();

    Rotation(RedisServer server, Duration life) {
        this.raw = server.connect();
        this.life = life;
        raw.command("ACL", "SETUSER", USER, "on", "+@all", "~*", "&*");
    }

    @Override
    public synchronized CompletionStage<Credentials> credentials() {
        int call = calls.incrementAndGet();
        raw.command("ACL", "SETUSER", USER, ">" + SECRET + call);
        if (call > 2) {
            raw.command("ACL", "SETUSER", USER, "<" + SECRET + (call - 2));
        }
        return CompletableFuture.completedFuture(
                Credentials.of(USER, SECRET + call).expiringAt(Instant.now().plus(life)));
    }

    @Override
    public synchronized void close() {
        raw.close();
    }

    int calls() {
        return calls.get();
    }
}
