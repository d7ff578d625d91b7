package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The failover guard where the primary is restarted, which costs one pause. */
@Tag("proof")
class GuardedRestartTest extends GuardedSentinelTest {

    @Override
    Duration lease() {
        return Duration.ofSeconds(6);
    }

    /** The Sentinels wait for longer than a restart takes. */
    @Override
    SentinelGroup group() {
        return SentinelGroup.builder().downAfter(Duration.ofMinutes(1)).start();
    }

    /** Also where it forgets nothing: what it has written to its file last may be missing. */
    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void aRestartOfThePrimaryCostsOnePause(String appendOnly) throws Exception {
        RedisServer primary = group.primary();
        configure(primary, appendOnly);
        LockClient client = connect();
        LockHold hold = client.getLock("stock").acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        primary.restart();
        awaitTerm(primary);
        RFuture<LockHold> free = client.getLock("free").acquireAsync();
        LockHold granted = grantedAfterThePause(free, primary);
        assertThat(group.primary()).isSameAs(primary);

        long began = Term.at(primary).orElseThrow().sinceMicros();
        granted.release();
        LockClient later = connect();
        for (int i = 0; i < 10; i++) {
            later.getLock("later " + i).acquire().release();
        }
        assertThat(Term.at(primary).orElseThrow().sinceMicros()).isEqualTo(began);
        if (hold.state() == HoldState.HELD) {
            hold.release();
        }
        Futures.get(waiting).release();
    }

    /** A server that still writes its first append-only file does not end when it is told to (6.2). */
    private static void configure(RedisServer server, String appendOnly) {
        try (RawRedis raw = server.connect()) {
            raw.command("CONFIG", "SET", "appendonly", appendOnly);
            raw.command("CONFIG", "REWRITE");
            eventually(() -> assertThat(raw.info("persistence"))
                    .containsEntry("aof_rewrite_scheduled", "0")
                    .containsEntry("aof_rewrite_in_progress", "0"));
        }
    }
}
