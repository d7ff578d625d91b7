package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.sentinel.CountingProgram.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 12 and 13: 16 threads of four processes count a value that the lock guards, and the primary is replaced. */
@Tag("proof")
class CountedFailoverTest extends SentinelTest {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final int TURNS = 20;

    private final List<ChildJvm> processes = new ArrayList<>();

    @Test
    void noUpdateIsLostWhenThePrimaryIsKilled() throws Exception {
        RedisServer values = opening(RedisServer.start());
        begin(values);
        RedisServer old = group.primary();
        old.kill();
        group.awaitOtherPrimary(old);
        awaitTurnsOfEach();
        assertNothingIsLost(values);
    }

    @Test
    void noUpdateIsLostWhenThePrimaryIsStoppedAndContinued() throws Exception {
        RedisServer values = opening(RedisServer.start());
        begin(values);
        RedisServer old = group.primary();
        old.pause();
        group.awaitOtherPrimary(old);
        awaitTurnsOfEach();
        old.resume();
        awaitTurnsOfEach();
        assertNothingIsLost(values);
    }

    /** The holder of then has lost its lock, though nothing about it is wrong. */
    @Test
    void noUpdateIsLostWhenTheNewPrimaryMissedTheLatestGrants() throws Exception {
        RedisServer values = opening(RedisServer.start());
        begin(values);
        RedisServer old = group.primary();
        List<RedisServer> replicas = group.replicas();
        replicas.forEach(replica -> configure(replica, "masterauth", "wrong"));
        try (RawRedis raw = old.connect()) {
            raw.command("CLIENT", "KILL", "TYPE", "replica");
        }
        awaitTurnsOfEach();
        old.kill();
        group.awaitOtherPrimary(old);
        replicas.forEach(replica -> configure(replica, "masterauth", ""));
        awaitTurnsOfEach();
        assertNothingIsLost(values);
    }

    /** A replica that shows a password where none is set gets nothing. */
    private static void configure(RedisServer server, String name, String value) {
        try (RawRedis raw = server.connect()) {
            raw.command("CONFIG", "SET", name, value);
        }
    }

    @Test
    void noUpdateIsLostInTwoFailoversInARow() throws Exception {
        RedisServer values = opening(RedisServer.start());
        begin(values);
        RedisServer first = group.primary();
        RedisServer second = group.failOver();
        awaitTurnsOfEach();
        group.follow(first);
        group.awaitSettled();
        second.kill();
        group.awaitOtherPrimary(second);
        awaitTurnsOfEach();
        assertNothingIsLost(values);
    }

    private void begin(RedisServer values) throws Exception {
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(opening(ChildJvm.start(CountingProgram.class, group.url(), values.url())));
        }
        for (ChildJvm process : processes) {
            process.hear("ready");
            process.ask("start " + THREADS);
        }
        awaitTurnsOfEach();
    }

    /** Each process gets on. */
    private void awaitTurnsOfEach() throws InterruptedException {
        for (ChildJvm process : processes) {
            int before = turns(process);
            eventually(() -> assertThat(turns(process)).isGreaterThanOrEqualTo(before + TURNS));
        }
    }

    private static int turns(ChildJvm process) throws InterruptedException {
        return Integer.parseInt(process.ask("turns"));
    }

    private void assertNothingIsLost(RedisServer values) throws Exception {
        processes.forEach(process -> process.say("stop"));
        List<Tally> tallies = new ArrayList<>();
        for (ChildJvm process : processes) {
            tallies.add(Tally.parse(process.hear("stop")));
        }
        assertThat(tallies).as("lost without a word").allMatch(tally -> tally.silent() == 0);
        try (LockClient client = LockClient.connect(values.url())) {
            assertThat(client.getFencedValue(CountingProgram.VALUE).get())
                    .contains(Integer.toString(
                            tallies.stream().mapToInt(Tally::accepted).sum()));
        }
        try (LockHold hold = connect().getLock(CountingProgram.LOCK).acquire()) {
            hold.extend(Duration.ofMinutes(1));
        }
    }
}
