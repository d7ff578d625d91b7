package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 29: a server that is loading its data set. */
@Tag("proof")
class LoadingTest {

    @Test
    void nothingIsGrantedWhileTheServerLoadsAndTheWaiterIsServedThen() throws Exception {
        try (RedisServer redis = RedisServer.builder()
                        .aof(true)
                        .option("key-load-delay", "150")
                        .start();
                LockClient client = Clients.connect(redis.url())) {
            try (RawRedis raw = redis.connect()) {
                raw.command("EVAL", "for i = 1, 10000 do redis.call('SET', 'filler-' .. i, i) end", "0");
            }
            redis.kill();
            RFuture<Optional<LockHold>> waiter = client.getLock("job").tryAcquireAsync(Duration.ofSeconds(30));
            Background<Boolean> restart = Background.run(redis::restart);
            await().pollInSameThread().pollInterval(Duration.ofMillis(5)).until(() -> isLoading(redis));
            assertThat(waiter.isDone()).isFalse();
            restart.result();

            waiter.get(10, TimeUnit.SECONDS).orElseThrow().close();
            assertThat(client.getLock("job").isLocked()).isFalse();
        }
    }

    private static boolean isLoading(RedisServer redis) {
        try (RawRedis raw = redis.connect()) {
            raw.command("GET", "filler-1");
            return false;
        } catch (RedisErrorReply refused) {
            return String.valueOf(refused.getMessage()).contains("LOADING");
        } catch (UncheckedIOException notUp) {
            return false;
        }
    }
}
