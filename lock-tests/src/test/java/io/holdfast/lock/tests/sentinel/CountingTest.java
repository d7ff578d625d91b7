package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.sentinel.CountingProgram.Tally;
import io.holdfast.lock.tests.sentinel.CountingProgram.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** 16 threads of four processes count a value that the lock guards. */
abstract class CountingTest extends SentinelTest {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final int TURNS = 20;

    final List<ChildJvm> processes = new ArrayList<>();
    RedisServer values;

    @BeforeEach
    final void startTheValuesServer() {
        values = opening(RedisServer.start());
    }

    /** Starts the processes, and waits until each gets on. */
    final void begin(Way way) throws Exception {
        for (int i = 1; i < PROCESSES; i++) {
            processes.add(opening(ChildJvm.start(CountingProgram.class, group.url(), values.url(), way.name())));
        }
        processes.add(last(way));
        for (ChildJvm process : processes) {
            process.hear("ready");
            process.ask("start " + THREADS);
        }
        awaitTurnsOfEach();
    }

    /** The last of the processes. */
    ChildJvm last(Way way) throws Exception {
        return opening(ChildJvm.start(CountingProgram.class, group.url(), values.url(), way.name()));
    }

    /** Each process gets on. */
    final void awaitTurnsOfEach() throws InterruptedException {
        awaitTurnsOf(processes);
    }

    static void awaitTurnsOf(List<ChildJvm> some) throws InterruptedException {
        for (ChildJvm process : some) {
            int before = turns(process);
            eventually(() -> assertThat(turns(process)).isGreaterThanOrEqualTo(before + TURNS));
        }
    }

    static int turns(ChildJvm process) throws InterruptedException {
        return Integer.parseInt(process.ask("turns"));
    }

    final void assertNothingIsLost() throws Exception {
        assertThat(lostUpdates()).isZero();
    }

    /** Ends the processes: how many of the updates that the value has accepted are not in it. */
    final int lostUpdates() throws Exception {
        processes.forEach(process -> process.say("stop"));
        List<Tally> tallies = new ArrayList<>();
        for (ChildJvm process : processes) {
            tallies.add(Tally.parse(process.hear("stop")));
        }
        assertThat(tallies).as("lost without a word").allMatch(tally -> tally.silent() == 0);
        try (LockHold hold = connect().getLock(CountingProgram.LOCK).acquire()) {
            hold.extend(CountingProgram.LEASE);
        }
        int accepted = tallies.stream().mapToInt(Tally::accepted).sum();
        try (LockClient client = LockClient.connect(values.url())) {
            Optional<String> value =
                    client.getFencedValue(CountingProgram.VALUE).get();
            return accepted - Integer.parseInt(value.orElse("0"));
        }
    }
}
