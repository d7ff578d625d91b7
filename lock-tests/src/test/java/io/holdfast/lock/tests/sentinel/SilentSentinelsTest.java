package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No Sentinel says anything, and then the primary ends too; or they are restarted one by one. */
@Tag("proof")
class SilentSentinelsTest extends SentinelTest {

    private static final String SILENCE = "No Sentinel of mymaster has answered for 1000 ms";

    /** What becomes of all Sentinels, and how the group has a primary again when they are back. */
    enum Silence {
        KILLED {
            @Override
            void begin(RedisServer sentinel) {
                sentinel.kill();
            }

            @Override
            void end(RedisServer sentinel) {
                sentinel.restart();
            }

            @Override
            void recover(SentinelGroup group, RedisServer old) {
                group.awaitOtherPrimary(old);
            }
        },
        /**
         * A Sentinel that was stopped takes part in no failover for half a minute. By then it finds the replicas out of touch
         * with the primary for too long, and promotes none.
         */
        STOPPED {
            @Override
            void begin(RedisServer sentinel) {
                sentinel.pause();
            }

            @Override
            void end(RedisServer sentinel) {
                sentinel.resume();
            }

            @Override
            void recover(SentinelGroup group, RedisServer old) {
                old.restart();
            }
        };

        abstract void begin(RedisServer sentinel);

        abstract void end(RedisServer sentinel);

        abstract void recover(SentinelGroup group, RedisServer old);
    }

    @Override
    ClientOptions.Builder options() {
        return Clients.quick()
                .connectTimeout(Duration.ofSeconds(3))
                .sentinel(
                        SentinelOptions.builder().silence(Duration.ofSeconds(1)).build());
    }

    @ParameterizedTest
    @EnumSource
    void locksGoOnUntilThePrimaryEndsAndAgainWhenTheSentinelsAreBack(Silence silence) throws Exception {
        LockClient client = connect();
        LockHold hold = client.getLock("watched", Clients.watchdog(Duration.ofSeconds(3)))
                .acquire();
        group.sentinels().forEach(silence::begin);

        // On a busy machine the first answer may have taken that long as well.
        eventually(() -> assertThat(log.lines(SILENCE)).anySatisfy(line -> assertThat(line)
                .startsWith("WARN")
                .contains("stays in use, and may have been replaced meanwhile")));
        client.getLock("stock").acquire().release();
        assertThat(hold.validFor()).isPositive();
        assertThatThrownBy(this::connect)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + group.sentinels().get(0).port())
                .hasMessageContaining("127.0.0.1:" + group.sentinels().get(2).port());

        RedisServer old = group.servers().get(0);
        old.kill();
        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.NOT_RENEWED);
        assertThatThrownBy(() -> client.getLock("stock").tryLock(300, TimeUnit.MILLISECONDS))
                .isInstanceOf(LockException.class);

        group.sentinels().forEach(silence::end);
        silence.recover(group, old);
        client.getLock("stock").acquire().release();
        eventually(() ->
                assertThat(log.lines("Sentinels of mymaster answer again")).isNotEmpty());
        assertThat(log.lines(SILENCE).stream().filter(line -> line.contains("stays in use")))
                .hasSize(1);
    }

    /** A Sentinel that was away is heard again, whichever it is. */
    @Test
    void sentinelsThatAreRestartedOneByOneAreHeardAgain() throws Exception {
        LockOptions watched = Clients.watchdog(LONG_LEASE);
        LockHold hold = connect().getLock("stock", watched).acquire();
        awaitReplicated("stock");
        for (RedisServer sentinel : group.sentinels()) {
            sentinel.kill();
            sentinel.restart();
            eventually(() -> assertThat(connections(sentinel)).isNotEmpty());
        }
        group.awaitSettled();
        RedisServer now = group.failOver();
        eventually(() -> assertThat(connections(now)).isNotEmpty());
        assertThat(hold.validFor()).isPositive();
        hold.release();
        assertThat(log.lines("No Sentinel")).isEmpty();
    }
}
