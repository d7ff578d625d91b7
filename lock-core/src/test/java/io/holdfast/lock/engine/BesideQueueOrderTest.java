package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain calls that wait beside a queue that the server keeps for fair ones (rule 132). */
class BesideQueueOrderTest {

    private static final long LEASE_MILLIS = 30_000;
    /** A release has let in the first of a queue. */
    private static final String FROM_QUEUE = "other:1:1;other:2:2";

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");

    @Test
    void eachCallThatWaitsTakesAPlace() {
        RFuture<Void> first = waiter(1);
        RFuture<Void> second = lock.lockAsync(2);

        backend.topic().publish(FROM_QUEUE);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("queue-join", "queue-join");
        Sent place = backend.next("queue-join");
        place.reply(0L, 1_000L, 1L, 1L);
        backend.next("queue-join").reply(0L, 1_000L, 2L, 1L);
        inQueue().publish(place.args.get(1) + ";");
        backend.next("queue-join").reply(1L, 7L, 0L);
        assertThat(first.isDone()).isTrue();
        assertThat(second.isDone()).isFalse();
    }

    /** The release admits whoever is first in the queue, though another call of the client waits. */
    @Test
    void whatItGetsThroughTheQueueIsNeverHandedOn() {
        waiter(1);
        backend.topic().publish(FROM_QUEUE);
        backend.next("queue-join").reply(1L, 7L, 0L);
        lock.lockAsync(2);

        lock.unlockAsync(1);

        assertThat(backend.open()).extracting(Sent::script).first().isEqualTo("queue-part");
    }

    @Test
    void aCallWhoseRequestIsUnderWayTakesItsPlaceWhenItIsRefused() {
        waiter(1);
        backend.topic().publish("0");
        Sent asking = backend.next("acquire");

        backend.topic().publish(FROM_QUEUE);
        assertThat(backend.open()).containsExactly(asking);
        asking.reply(0L, LEASE_MILLIS);

        backend.next("queue-join");
    }

    @Test
    void aCallInTheQueueIsRefusedWhenItsTimeIsOver() {
        RFuture<Boolean> call = lock.tryLockAsync(500, -1, MILLISECONDS, 1);
        listens();
        backend.topic().publish(FROM_QUEUE);
        backend.next("queue-join").reply(0L, 1_000L, 1L, 1L);
        inQueue().confirm();
        backend.next("queue-join").reply(0L, 1_000L, 1L, 0L);

        backend.runtime.advanceMillis(501);

        assertThat(call.toCompletableFuture().join()).isFalse();
        assertThat(backend.open()).extracting(Sent::script).containsExactly("queue-part");
    }

    /** A plain release has no queue behind it. */
    @Test
    void withoutAQueueNoCallTakesAPlace() {
        waiter(1);

        backend.topic().publish("0");

        assertThat(backend.open()).extracting(Sent::script).containsExactly("acquire");
    }

    /** Its queue would go on for good: each call that comes would take a place, since others have (rule 132). */
    @Test
    void aQueueOfPlainCallsAloneIsNoReasonToTakeAPlace() {
        waiter(1);

        backend.topic().publish("other:1:01;another:h2:02");

        assertThat(backend.open()).extracting(Sent::script).containsExactly("acquire");
    }

    @ParameterizedTest
    @ValueSource(strings = {"other:1:01 other:2:2;another:1:03", "other:1:01;another:2:30", "other:h1:10;"})
    void oneFairCallAmongThemIs(String message) {
        waiter(1);

        backend.topic().publish(message);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("queue-join");
    }

    @Test
    void itsPlaceShowsThatTheCallIsAPlainOne() {
        waiter(1);

        backend.topic().publish(FROM_QUEUE);

        assertThat(backend.next("queue-join").args.get(1)).matches("c:1:0[1-9][0-9]*");
    }

    /** The queue may have ended meanwhile. */
    @Test
    void theProofOfAQueueDoesNotOutliveABreakOfTheSubscription() {
        waiter(1);
        ScriptedBackend.Topic heard = backend.topic();
        heard.publish(FROM_QUEUE);
        backend.next("queue-join").reply(0L, LEASE_MILLIS, 1L, 1L);
        heard.confirm();

        lock.lockAsync(2);
        backend.next("acquire").reply(0L, LEASE_MILLIS);

        backend.assertNothingOpen();
    }

    /** Whether there is a queue still is not heard any more. */
    @Test
    void theProofOfAQueueIsGoneWithTheSubscription() {
        waiter(1);
        backend.topic().publish(FROM_QUEUE);
        backend.next("queue-join").reply(0L, LEASE_MILLIS, 1L, 1L);
        inQueue().confirm();
        backend.next("queue-join").reply(0L, LEASE_MILLIS, 1L, 0L);
        backend.runtime.advanceMillis(1_001);

        lock.lockAsync(2);
        backend.next("acquire").reply(0L, LEASE_MILLIS);

        backend.assertNothingOpen();
    }

    @ParameterizedTest
    @EnumSource(names = {"NOPERM", "OOM"})
    void aCallThatIsDeniedAPlaceWaitsAsAPlainOne(Fault.Kind denial) {
        RFuture<Void> call = waiter(1);
        backend.topic().publish(FROM_QUEUE);
        backend.next("queue-join").fault(denial, false);

        backend.next("acquire").reply(0L, LEASE_MILLIS);
        backend.assertNothingOpen();
        backend.topic().publish(FROM_QUEUE);
        backend.next("acquire").reply(0L, LEASE_MILLIS);
        backend.topic().publish("0");
        backend.next("acquire").reply(1L, 7L);

        assertThat(call.toCompletableFuture()).isCompleted();
    }

    @Test
    void placesAreAskedForAgainAfterAMinute() {
        waiter(1);
        backend.topic().publish(FROM_QUEUE);
        backend.next("queue-join").fault(Fault.Kind.OOM, false);
        backend.next("acquire").reply(0L, LEASE_MILLIS);

        backend.runtime.jumpMillis(60_000);
        backend.topic().publish(FROM_QUEUE);

        assertThat(backend.open()).extracting(Sent::script).contains("queue-join");
    }

    /** What it left of its place would keep the lock from the others for a claim window (rule 99). */
    @Test
    void whileItsSlotIsBeingMovedACallInTheQueueIsNotTakenKeyByKey() {
        waiter(1);
        backend.topic().publish(FROM_QUEUE);

        backend.next("queue-join").fault(Fault.Kind.TRYAGAIN, false);

        backend.assertNothingOpen();
    }

    /** The subscription of those that stand in the queue; that of the others is closed a moment later. */
    private ScriptedBackend.Topic inQueue() {
        return backend.topics.get(1);
    }

    private RFuture<Void> waiter(long thread) {
        RFuture<Void> call = lock.lockAsync(thread);
        listens();
        return call;
    }

    /** The head of the calls is refused, and listens. */
    private void listens() {
        backend.next("acquire").reply(0L, LEASE_MILLIS);
        backend.topic().confirm();
        backend.next("acquire").reply(0L, LEASE_MILLIS);
    }
}
