package io.holdfast.lock.tests.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 44: many locks under the watchdog. No lease is missed, and no renewal holds the server up. */
@Tag("proof")
class WatchdogBulkTest extends ServerTest {

    private static final int IN_FLIGHT = 200;
    private static final Duration LONGEST_BATCH = Duration.ofMillis(2);

    @Test
    void tenThousandWatchedLocksMissNoLease() {
        holdAndWatch(10_000, Duration.ofSeconds(6), Duration.ofSeconds(8));
    }

    @Test
    @Tag("long")
    void aHundredThousandWatchedLocksMissNoLease() {
        holdAndWatch(100_000, Duration.ofSeconds(30), Duration.ofSeconds(45));
    }

    private void holdAndWatch(int count, Duration lease, Duration held) {
        AtomicInteger lost = new AtomicInteger();
        LockOptions options = LockOptions.builder()
                .watchdogLease(lease)
                .listener(new LockListener() {
                    @Override
                    public void lost(LockEvent event) {
                        lost.incrementAndGet();
                    }
                })
                .build();
        LockClient client = connect(
                ClientOptions.builder().clientRecord(false).lockOptions(options).build());
        List<LockHold> holds = take(client, count);
        raw.command("CONFIG", "RESETSTAT");
        long start = System.nanoTime();
        eventually(held.plusSeconds(5), () -> assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(held.toNanos()));
        assertThat(lost).hasValue(0);
        assertThat(raw.integer("DBSIZE")).isGreaterThanOrEqualTo(count);
        assertRenewalsWereShort(count, 1 + 3 * held.toMillis() / lease.toMillis());
        release(holds);
        assertThat(lost).hasValue(0);
    }

    private static List<LockHold> take(LockClient client, int count) {
        List<LockHold> holds = new ArrayList<>(count);
        List<RFuture<LockHold>> granted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            granted.add(client.getLock("watched " + i).acquireAsync());
            if (granted.size() == IN_FLIGHT || i == count - 1) {
                granted.forEach(each -> holds.add(Futures.get(each)));
                granted.clear();
            }
        }
        return holds;
    }

    private static void release(List<LockHold> holds) {
        List<RFuture<Void>> released = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            released.add(holds.get(i).releaseAsync());
            if (released.size() == IN_FLIGHT || i == holds.size() - 1) {
                released.forEach(Futures::get);
                released.clear();
            }
        }
    }

    /** Renewals are the only scripts meanwhile: few, each of them short. */
    private void assertRenewalsWereShort(int count, long rounds) {
        long batches = raw.calls("evalsha");
        assertThat(batches).as("renewal batches").isBetween(count / 500L, 10 * rounds * count / 100);
        String stats = String.valueOf(raw.info("commandstats").get("cmdstat_evalsha"));
        double micros = Double.parseDouble(stats.replaceFirst(".*usec_per_call=([0-9.]+).*", "$1"));
        assertThat(micros).as("microseconds of the server per batch").isLessThan(LONGEST_BATCH.toNanos() / 1_000.0);
    }
}
