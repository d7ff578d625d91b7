package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.tests.support.CountingFleet;
import io.holdfast.lock.tests.support.CountingProgram;
import io.holdfast.lock.tests.support.CountingProgram.Way;
import org.junit.jupiter.api.BeforeEach;

/** 16 threads of four processes count a value that the lock guards. */
abstract class CountingTest extends SentinelTest {

    private static final int PROCESSES = 4;

    CountingFleet fleet;

    @BeforeEach
    final void startTheValuesServer() {
        fleet = opening(new CountingFleet());
    }

    /** Starts the processes, and waits until each gets on. */
    final void begin(Way way) throws Exception {
        for (int i = 1; i < PROCESSES; i++) {
            fleet.start(group.url(), way);
        }
        startTheLast(way);
        fleet.begin();
    }

    void startTheLast(Way way) throws Exception {
        fleet.start(group.url(), way);
    }

    /** Each process gets on. */
    final void awaitTurnsOfEach() throws InterruptedException {
        fleet.awaitTurnsOfEach();
    }

    final void assertNothingIsLost() throws Exception {
        assertThat(lostUpdates()).isZero();
    }

    /** Ends the processes: how many of the updates that the value has accepted are not in it. */
    final int lostUpdates() throws Exception {
        int lost = fleet.lostUpdates();
        try (LockHold hold = connect().getLock(CountingProgram.LOCK).acquire()) {
            hold.extend(CountingProgram.LEASE);
        }
        return lost;
    }
}
