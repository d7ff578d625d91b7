package io.holdfast.lock.tests.turns;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client far from the server, beside one nearby whose threads keep the lock busy (rules 125, 126). */
class FarClientTest extends ServerTest {

    private static final String HOT = "hot";
    private static final int MOST_ROUND_TRIPS = 10;
    private static final int LEAST_OF_NEAR_PERCENT = 50;

    private final HotClient.Site site = new HotClient.Site();

    @Test
    void itIsServedEveryTenRoundTrips() {
        assertServed(measure(100));
    }

    @Tag("proof")
    @Tag("quiet")
    @ParameterizedTest
    @ValueSource(ints = {20, 70, 200, 400})
    void itIsServedEveryTenRoundTripsAtAnyDistance(int roundTripMillis) {
        assertServed(measure(roundTripMillis));
    }

    @Tag("proof")
    @Tag("quiet")
    @Test
    void itLeavesTheOthersHalfOfTheirThroughput() {
        Figures figures = measure(100);

        assertThat(100 * figures.near).as(figures.toString()).isGreaterThan(LEAST_OF_NEAR_PERCENT * figures.nearAlone);
    }

    private void assertServed(Figures figures) {
        assertThat(figures.longestGapMillis)
                .as(figures.toString())
                .isLessThan(MOST_ROUND_TRIPS * figures.roundTripMillis);
        assertThat(site.broken()).isZero();
    }

    /**
     * @param nearAlone grants of the near client in a second without the far one
     * @param near the same beside it
     */
    private record Figures(int roundTripMillis, long nearAlone, long near, int far, long longestGapMillis) {}

    private Figures measure(int roundTripMillis) {
        FaultProxy wire = closing(FaultProxy.to(redis));
        wire.delayRequests(Duration.ofMillis(roundTripMillis / 2));
        wire.delayReplies(Duration.ofMillis(roundTripMillis / 2));
        LockClient distant = closing(LockClient.connect(
                wire.url(), ClientOptions.builder().clientRecord(false).build()));
        try (HotClient near = new HotClient(connect(), HOT, site, 4)) {
            watch(near, TimeUnit.SECONDS.toNanos(1));
            long alone = watch(near, TimeUnit.SECONDS.toNanos(1)).perSecond();
            try (HotClient far = new HotClient(distant, HOT, site, 1)) {
                watch(far, TimeUnit.MILLISECONDS.toNanos(MOST_ROUND_TRIPS * roundTripMillis));
                int before = near.grants();
                Watched served = watch(far, TimeUnit.MILLISECONDS.toNanos(5 * MOST_ROUND_TRIPS * roundTripMillis));
                long beside = (near.grants() - before) * TimeUnit.SECONDS.toNanos(1) / served.nanos;
                return new Figures(roundTripMillis, alone, beside, served.grants, served.longestGapMillis);
            }
        }
    }

    private record Watched(long nanos, int grants, long longestGapMillis) {
        long perSecond() {
            return grants * TimeUnit.SECONDS.toNanos(1) / nanos;
        }
    }

    /** How often a client is granted the lock in a time, and the longest time without. */
    private static Watched watch(HotClient client, long nanos) {
        long start = System.nanoTime();
        int first = client.grants();
        int grants = first;
        long longest = 0;
        long latest = start;
        long now = start;
        while (now - start < nanos) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            now = System.nanoTime();
            int present = client.grants();
            longest = Math.max(longest, now - latest);
            latest = present == grants ? latest : now;
            grants = present;
        }
        return new Watched(now - start, grants - first, TimeUnit.NANOSECONDS.toMillis(longest));
    }
}
