package io.holdfast.lock.tests.sentinel;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.CountingProgram.Way;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 12 and 13: 16 threads of four processes count a value that the lock guards, and the primary is replaced. */
@Tag("proof")
class CountedFailoverTest extends CountingTest {

    @Test
    void noUpdateIsLostWhenThePrimaryIsKilled() throws Exception {
        begin(Way.FENCED);
        RedisServer old = group.primary();
        old.kill();
        group.awaitOtherPrimary(old);
        awaitTurnsOfEach();
        assertNothingIsLost();
    }

    @Test
    void noUpdateIsLostWhenThePrimaryIsStoppedAndContinued() throws Exception {
        begin(Way.FENCED);
        RedisServer old = group.primary();
        old.pause();
        group.awaitOtherPrimary(old);
        awaitTurnsOfEach();
        old.resume();
        awaitTurnsOfEach();
        assertNothingIsLost();
    }

    /** The holder of then has lost its lock, though nothing about it is wrong. */
    @Test
    void noUpdateIsLostWhenTheNewPrimaryMissedTheLatestGrants() throws Exception {
        begin(Way.FENCED);
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
        assertNothingIsLost();
    }

    /** A replica that shows a password where none is set gets nothing. */
    private static void configure(RedisServer server, String name, String value) {
        try (RawRedis raw = server.connect()) {
            raw.command("CONFIG", "SET", name, value);
        }
    }
}
