package io.holdfast.lock.tests.permits;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test of one semaphore, whose permits two clients want, and which looks at it past the library. */
abstract class PermitTest extends ServerTest {

    static final String NAME = "slots:7";
    static final String PERMITS = Stored.key(NAME) + ":permits";
    static final String LIMIT = Stored.key(NAME) + ":limit";

    LockClient client;
    LockClient other;

    @BeforeEach
    final void connectClients() {
        client = connect();
        other = connect();
    }

    /** It has no end of its own: it is configuration. */
    @AfterEach
    final void dropLimit() {
        raw.command("DEL", LIMIT);
    }

    static RPermitExpirableSemaphore slots(LockClient of) {
        return of.getPermitExpirableSemaphore(NAME);
    }

    static RSemaphore semaphore(LockClient of) {
        return of.getSemaphore(NAME);
    }

    /** The permits that are taken, as the server has them. */
    final List<String> taken() {
        return raw.list("ZRANGE", PERMITS, "0", "-1");
    }

    /** Those who wait, in the server's order. */
    final List<String> waiting() {
        return raw.list("ZRANGE", PERMITS + ":queue", "0", "-1");
    }

    final void awaitWaiting(int number) {
        eventually(() -> assertThat(waiting()).hasSize(number));
    }

    /** Begins a call, and returns when it has its place at the server. */
    final <T> RFuture<T> queued(Supplier<RFuture<T>> call) {
        int before = waiting().size();
        RFuture<T> begun = call.get();
        awaitWaiting(before + 1);
        return begun;
    }

    final void awaitSubscribers(int number) {
        eventually(() -> assertThat(Long.parseLong(
                        raw.list("PUBSUB", "NUMSUB", PERMITS + ":free").get(1)))
                .isEqualTo(number));
    }
}
