package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A lock that is held and one that two clients contend for, while tokens expire. */
public abstract class ExpiringTokenContract extends ServerTest {

    private final Duration life;
    private final int tokens;
    private final Duration longest;

    /** @param tokens how many of them are to expire */
    protected ExpiringTokenContract(Duration life, int tokens, Duration longest) {
        this.life = life;
        this.tokens = tokens;
        this.longest = longest;
    }

    @Test
    void tokensExpireAndNeitherLocksNorConnectionsAreLost() throws Exception {
        LockOptions options = Clients.watchdog(Duration.ofSeconds(6));
        AtomicBoolean over = new AtomicBoolean();
        try (ExpiringTokens one = new ExpiringTokens(redis, life);
                ExpiringTokens other = new ExpiringTokens(redis, life);
                LockClient holder = LockClient.connect(redis.url(), patient(one));
                LockClient rival = LockClient.connect(redis.url(), patient(other));
                LockHold hold = holder.getLock("held", options).acquire()) {
            Background<Integer> first = Background.call(() -> turns(holder, options, over));
            Background<Integer> second = Background.call(() -> turns(rival, options, over));

            await().atMost(longest).until(() -> one.expired() >= tokens && other.expired() >= tokens);
            over.set(true);

            assertThat(first.result()).isGreaterThan(tokens);
            assertThat(second.result()).isGreaterThan(tokens);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(one.cut() + other.cut())
                    .as("connections with a token that was over")
                    .isZero();
        }
    }

    /** With room for a machine that stands still for a while. */
    private static ClientOptions patient(ExpiringTokens tokens) {
        return Clients.quick()
                .credentials(tokens)
                .commandTimeout(Duration.ofSeconds(5))
                .heartbeat(Duration.ofSeconds(5))
                .build();
    }

    /** How often the client had the lock. */
    private static int turns(LockClient client, LockOptions options, AtomicBoolean over) throws Exception {
        int turns = 0;
        while (!over.get()) {
            if (client.getLock("contended", options).tryLock(20, TimeUnit.SECONDS)) {
                turns++;
                client.getLock("contended", options).unlock();
            }
        }
        return turns;
    }
}
