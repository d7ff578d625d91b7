package io.holdfast.lock.tests.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test of one lock with a queue, which two clients want, and which looks at the queue past the library. */
abstract class QueueTest extends ServerTest {

    private static final Duration QUIET = Duration.ofMillis(150);

    static final String NAME = "order:7";
    static final String KEY = Stored.key(NAME);

    LockClient client;
    LockClient other;

    @BeforeEach
    final void connectClients() {
        client = connect();
        other = connect();
    }

    /** They are passed over, and go with the queue when no call has asked for as long as presence lasts (rule 131). */
    @AfterEach
    final void dropPlacesOfAbsentClients() {
        for (String member : waiting()) {
            String until = raw.text("ZSCORE", KEY + ":seen", member.substring(1, member.indexOf(':')));
            if (until == null || Long.parseLong(until) <= nowMillis()) {
                raw.command("ZREM", KEY + ":queue", member);
            }
        }
        if (waiting().isEmpty()) {
            raw.command("DEL", KEY + ":seen");
        }
    }

    final long nowMillis() {
        List<String> time = raw.list("TIME");
        return Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000;
    }

    static RLock fair(LockClient of) {
        return of.getFairLock(NAME);
    }

    static RLock reading(LockClient of) {
        return of.getReadWriteLock(NAME).readLock();
    }

    static RLock writing(LockClient of) {
        return of.getReadWriteLock(NAME).writeLock();
    }

    /** Those who wait, in the server's order. */
    final List<String> waiting() {
        return raw.list("ZRANGE", KEY + ":queue", "0", "-1");
    }

    /** Those who read, as the server has it. */
    final List<String> readers() {
        return raw.list("ZRANGE", KEY + ":readers", "0", "-1");
    }

    final void awaitWaiting(int number) {
        eventually(() -> assertThat(waiting()).hasSize(number));
    }

    /** Begins a call, and returns when it has its place at the server. */
    final RFuture<LockHold> queued(RLock lock) {
        int before = waiting().size();
        RFuture<LockHold> call = lock.acquireAsync();
        awaitWaiting(before + 1);
        return call;
    }

    final void awaitSubscribers(int number) {
        eventually(() -> assertThat(subscribers()).isEqualTo(number));
    }

    /** Until at least one client hears of releases. */
    final void awaitListening() {
        eventually(() -> assertThat(subscribers()).isPositive());
    }

    private long subscribers() {
        return Stored.subscribers(raw, NAME);
    }

    /** Until no call asks any more without another reason. */
    final void awaitQuiet() {
        long[] before = {-1};
        await().pollInterval(QUIET).until(() -> {
            long now = scripts();
            boolean quiet = now == before[0];
            before[0] = now;
            return quiet;
        });
    }
}
