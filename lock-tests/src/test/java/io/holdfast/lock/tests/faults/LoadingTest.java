package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Row 29: a server that is loading its data set. */
class LoadingTest {

    @Test
    void nothingIsGrantedWhileTheServerLoadsAndTheWaiterIsThereWhenItHas() throws Exception {
        try (RedisServer redis = RedisServer.builder()
                        .aof(true)
                        .option("key-load-delay", "150")
                        .start();
                LockClient client = Clients.connect(redis.url())) {
            try (RawRedis raw = redis.connect()) {
                raw.command("EVAL", "for i = 1, 10000 do redis.call('SET', 'filler-' .. i, i) end", "0");
            }
            redis.kill();
            Background<Boolean> restart = Background.run(redis::restart);
            await().pollInSameThread()
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> reasonOfRefusal(client) == FailureReason.LOADING);
            RFuture<Optional<LockHold>> waiter = client.getLock("job").tryAcquireAsync(Duration.ofSeconds(20));
            restart.result();

            waiter.get(5, TimeUnit.SECONDS).orElseThrow().close();
            assertThat(client.getLock("job").isLocked()).isFalse();
        }
    }

    private static FailureReason reasonOfRefusal(LockClient client) {
        try {
            client.getLock("probe").forceUnlock();
            return FailureReason.NOT_HELD;
        } catch (LockException refused) {
            return refused.reason();
        }
    }
}
