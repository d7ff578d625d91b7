package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.figures.FigureTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of many, dead or alive. */
@Tag("proof")
class LongQueueTest extends QueueTest {

    private static final Duration AT_ONCE = Duration.ofMillis(900);
    private static final Duration ONE_WINDOW = Duration.ofMillis(1_500);
    private static final int CROWD = 1_000;
    private static final int PASSED = 500;
    private static final int ATTEMPTS = 200;

    private static final FigureTable COSTS =
            new FigureTable("places of absent clients", "reads of an attempt", "CPU time of the server");

    @AfterAll
    static void print() {
        System.out.println(COSTS);
    }

    /** Of clients that are not present any more; a step of the server drops 500 of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 65, 499, 500, 501, 1_700})
    void entriesOfAbsentClientsCostNothing(int dead) throws Exception {
        LockHold first = fair(client).acquire();
        for (int i = 1; i <= dead; i++) {
            enqueue(i, "dead-" + i, "h1");
        }
        RFuture<LockHold> next = queued(fair(other));
        RFuture<LockHold> behind = queued(reading(client));
        awaitSubscribers(2);
        awaitQuiet();
        for (int i = 1; i <= dead; i++) {
            raw.command("ZREM", KEY + ":seen", "dead-" + i);
        }
        assertThat(untilGranted(first, next)).isLessThan(AT_ONCE);
        get(behind).close();
    }

    /** A place that is passed over is one command to read it, and one for the presence of its client. */
    @ParameterizedTest
    @ValueSource(ints = {0, 500, 2_000})
    void anAttemptLooksAt500PlacesOfAbsentClientsAtMost(int absent) throws Exception {
        LockHold hold = fair(client).withLease(Duration.ofHours(1)).acquire();
        for (int i = 1; i <= absent; i++) {
            enqueue(i, "absent-" + i, "h1");
            raw.command("ZADD", KEY + ":seen", Long.toString(nowMillis() - 1), "absent-" + i);
        }
        for (int dropped = absent - PASSED; dropped > 0; dropped -= PASSED) {
            assertThat(fair(other).tryLock()).isFalse();
        }
        assertThat(waiting()).hasSize(Math.min(absent, PASSED));
        raw.command("CONFIG", "RESETSTAT");
        double busyBefore = cpuMicros();

        for (int i = 0; i < ATTEMPTS; i++) {
            assertThat(fair(other).tryLock()).isFalse();
        }

        double busy = cpuMicros() - busyBefore;
        long reads = raw.calls("zrange") + raw.calls("zscore");
        COSTS.row(Integer.toString(absent), Long.toString(reads / ATTEMPTS), String.format("%.0f us", busy / ATTEMPTS));
        assertThat(raw.calls("evalsha")).isEqualTo(ATTEMPTS);
        assertThat(reads).isLessThanOrEqualTo(ATTEMPTS * (2L * PASSED + 10));
        hold.close();
    }

    /** The deputy is sought among the last too. */
    @Test
    void moreEntriesOfOneDeadClientThanAStepLooksAtCostNoPoll() throws Exception {
        LockHold first = fair(client).acquire();
        for (int i = 1; i <= 600; i++) {
            enqueue(i, "dead", "h" + i);
        }
        RFuture<LockHold> next = queued(fair(other));
        awaitSubscribers(1);
        awaitQuiet();
        assertThat(untilGranted(first, next)).isLessThan(ONE_WINDOW);
    }

    /** More than one step drops: a call that does not wait is told of the lock, not of the rest of the queue. */
    @Test
    void aLockThatIsFreeBehindManyAbsentClientsIsNotRefused() {
        for (int i = 1; i <= 1_100; i++) {
            enqueue(i, "dead-" + i, "h1");
        }
        raw.command("DEL", KEY + ":seen");
        assertThat(fair(client).tryLock()).isTrue();
        fair(client).unlock();
        assertThat(waiting()).isEmpty();
    }

    /** One client with many waiting calls has died: all of them cost one claim window together (rule 46). */
    @ParameterizedTest
    @ValueSource(ints = {2, 65, 400})
    void theEntriesOfOneDeadClientCostOneClaimWindow(int dead) throws Exception {
        LockHold first = fair(client).acquire();
        for (int i = 1; i <= dead; i++) {
            enqueue(i, "dead", "h" + i);
        }
        RFuture<LockHold> next = queued(fair(other));
        RFuture<LockHold> behind = queued(fair(client));
        awaitSubscribers(2);
        awaitQuiet();
        assertThat(untilGranted(first, next)).isLessThan(ONE_WINDOW);
        get(behind).close();
    }

    @Test
    void aThousandWaitersOfOneClientAreServedInTheirOrder() throws Exception {
        LockHold first = fair(other).acquire();
        List<RFuture<LockHold>> calls = new ArrayList<>();
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<Integer> came = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            int number = i;
            RFuture<LockHold> call = fair(client).acquireAsync();
            call.thenAccept(hold -> {
                served.add(number);
                hold.releaseAsync();
            });
            calls.add(call);
            came.add(number);
        }
        awaitWaiting(CROWD);
        awaitSubscribers(1);
        awaitQuiet();
        long before = scripts();
        first.close();
        calls.forEach(call -> get(call));
        eventually(() -> assertThat(served).hasSize(CROWD));
        assertThat(served).isEqualTo(came);
        eventually(() -> assertThat(lockKeys()).isEmpty());
        assertThat(scripts() - before).as("a claim and a release each").isLessThanOrEqualTo(2L * CROWD + 50);
    }

    /** What the server has computed. */
    private double cpuMicros() {
        Map<String, String> used = raw.info("cpu");
        return 1e6 * (Double.parseDouble(used.get("used_cpu_user")) + Double.parseDouble(used.get("used_cpu_sys")));
    }

    /** An entry as a client that is present leaves it. */
    private void enqueue(int place, String ofClient, String owner) {
        long nowSeconds = Long.parseLong(raw.list("TIME").get(0));
        raw.command("ZADD", KEY + ":queue", Integer.toString(place), "w" + ofClient + ":" + owner);
        raw.command("ZADD", KEY + ":seen", (nowSeconds + 15) + "000", ofClient);
    }

    private static Duration untilGranted(LockHold holder, RFuture<LockHold> next) {
        long freed = System.nanoTime();
        holder.close();
        LockHold granted = get(next);
        Duration waited = Duration.ofNanos(System.nanoTime() - freed);
        granted.close();
        return waited;
    }
}
