package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RedisMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What locks with a queue cost in commands; they are counted at the server. */
class QueueCountsTest extends QueueTest {

    private static final int ROUNDS = 20;

    static Stream<Function<QueueTest, RLock>> locks() {
        return Stream.of(test -> fair(test.client), test -> reading(test.client), test -> writing(test.client));
    }

    @ParameterizedTest
    @MethodSource("locks")
    void uncontendedALockAndItsUnlockAreTwoCommands(Function<QueueTest, RLock> kind) {
        RLock lock = kind.apply(this);
        lock.lock();
        lock.unlock();
        Map<String, Long> commands = during(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                lock.lock();
                lock.unlock();
            }
        });
        assertThat(commands).isEqualTo(Map.of("EVALSHA", 2L * ROUNDS));
    }

    @ParameterizedTest
    @MethodSource("locks")
    void aReEntryAndItsReleaseAreTwoCommandsAtMost(Function<QueueTest, RLock> kind) {
        RLock lock = kind.apply(this);
        lock.lock();
        Map<String, Long> commands = during(() -> {
            lock.lock();
            lock.unlock();
        });
        assertThat(commands.getOrDefault("EVALSHA", 0L)).isLessThanOrEqualTo(2);
        lock.unlock();
    }

    /** Join, claim, part: among two clients whose calls wait in turn, once their subscriptions are there. */
    @Test
    void contendedAnAcquisitionAndItsReleaseAreThreeCommands() throws Exception {
        LockHold first = fair(client).acquire();
        List<RFuture<LockHold>> calls = new ArrayList<>(List.of(queued(fair(other)), queued(fair(client))));
        awaitSubscribers(2);
        awaitQuiet();
        Map<String, Long> commands = during(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                calls.add(queued(fair(round % 2 == 0 ? other : client)));
            }
            first.close();
            calls.forEach(call -> get(call).close());
        });
        // Beside them: the release of the first, and claim and release of the two that came before.
        long others = 1 + 2 * 2;
        assertThat(commands.get("EVALSHA")).isLessThanOrEqualTo(3L * ROUNDS + others);
        assertThat(commands).doesNotContainKey("SUBSCRIBE");
    }

    @Test
    void aClientSubscribesOnceForAllItsCalls() throws Exception {
        LockHold first = fair(other).acquire();
        Map<String, Long> commands = during(() -> {
            List<RFuture<LockHold>> calls =
                    Stream.generate(() -> queued(fair(client))).limit(8).toList();
            awaitSubscribers(1);
            first.close();
            calls.forEach(call -> get(call).close());
        });
        assertThat(commands.get("SUBSCRIBE")).isEqualTo(1);
    }

    /** However many wait: only the one whose turn it is asks. */
    @Test
    void aReleaseBringsOneRequest() throws Exception {
        LockHold first = fair(client).acquire();
        List<RFuture<LockHold>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            calls.add(queued(fair(connect())));
            calls.add(queued(fair(other)));
        }
        awaitSubscribers(9);
        awaitQuiet();
        LockHold[] next = new LockHold[1];
        Map<String, Long> commands = during(() -> {
            first.close();
            next[0] = get(calls.get(0));
            awaitQuiet();
        });
        assertThat(commands.get("EVALSHA")).as("the release, and the claim").isEqualTo(2);
        next[0].close();
        calls.subList(1, calls.size()).forEach(call -> get(call).close());
    }

    /** Readers that are admitted together claim once each. */
    @Test
    void readersThatEnterTogetherAskOnceEach() throws Exception {
        LockHold writer = writing(client).acquire();
        List<RFuture<LockHold>> calls =
                Stream.generate(() -> queued(reading(other))).limit(8).toList();
        awaitSubscribers(1);
        awaitQuiet();
        List<LockHold> together = new ArrayList<>();
        Map<String, Long> commands = during(() -> {
            writer.close();
            calls.forEach(call -> together.add(get(call)));
        });
        assertThat(commands.get("EVALSHA")).isLessThanOrEqualTo(1 + 8);
        together.forEach(LockHold::close);
    }

    /** How often each command came that clients sent: scripts' own commands are none. */
    private Map<String, Long> during(Runnable work) {
        try (RedisMonitor monitor = RedisMonitor.of(redis)) {
            work.run();
            return monitor.commands().stream()
                    .map(MonitoredCommand::name)
                    .filter(command ->
                            List.of("EVALSHA", "SUBSCRIBE", "UNSUBSCRIBE").contains(command))
                    .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        }
    }
}
