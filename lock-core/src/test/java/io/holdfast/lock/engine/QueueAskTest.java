package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of the calls that stand in the server's queue ask it, and when (rules 40, 43, 44 and 47). */
class QueueAskTest {

    private static final long LEASE_MILLIS = 30_000;
    private static final String OTHERS = "other:1:1";

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getFairLock("stock");

    @Test
    void aConfirmationMakesEveryCallAskOnce() {
        List<String> fields = List.of(waiter(1, 1), waiter(2, 2), waiter(3, 3));

        backend.topic().confirm();

        assertThat(asking()).isEqualTo(fields);
        backend.open().forEach(QueueAskTest::refusedAgain);
        backend.assertNothingOpen();
    }

    /** The server behind it may have brought back places of calls that have left (rule 122). */
    @Test
    void aConfirmationAfterABreakSweepsTheClientsOldPlaces() {
        lock.lockAsync(9);
        backend.next("queue-join").reply(1L, 7L, 0L);
        waitersThatListen();
        backend.topic().silence();

        backend.topic().confirm();

        assertThat(backend.next("sweep").args).endsWith("c:", "2");
    }

    @Test
    void aCallThatIsNamedWhileItAsksDoesSoOnceMoreWhenItIsRefused() {
        waitersThatListen();
        backend.topic().publish();
        Sent inFlight = backend.next("queue-join");

        backend.topic().publish(field(inFlight) + ";");
        assertThat(backend.open()).containsExactly(inFlight);
        refusedAgain(inFlight);

        assertThat(asking()).containsExactly(field(inFlight));
        refusedAgain(backend.next("queue-join"));
        backend.assertNothingOpen();
    }

    @Test
    void theClientOfADeputyLooksWhenTheClaimWindowIsOver() {
        List<String> fields = waitersThatListen();

        backend.topic().publish(OTHERS + ";" + fields.get(1));

        backend.runtime.advanceMillis(1_000);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(2);
        assertThat(asking()).containsExactly(fields.get(0));
    }

    /** Or the presence of the client would run out, though it hears of each. */
    @Test
    void handOversThatAreFasterThanTheClaimWindowDoNotPutThePollOff() {
        List<String> fields = waitersThatListen();

        for (int turn = 0; turn < 7 && backend.open().isEmpty(); turn++) {
            backend.topic().publish(OTHERS + ";" + fields.get(1));
            backend.runtime.advanceMillis(800);
        }

        assertThat(asking()).containsExactly(fields.get(0));
    }

    @Test
    void aCallThatHasLostItsPlaceMakesTheOthersAsk() {
        List<String> fields = waitersThatListen();
        backend.topic().publish();

        refusedAnew(backend.next("queue-join"), 0);

        assertThat(asking()).isEqualTo(fields.subList(1, 3));
        backend.open().forEach(sent -> refusedAnew(sent, 1));
        backend.assertNothingOpen();
    }

    @Test
    void theRequestOfWhoIsNextFollowsRightBehindARelease() {
        Sent held = taken();
        String next = waiter(2, 0);
        waiter(3, 1);

        lock.unlockAsync(1);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("queue-part", "queue-join");
        assertThat(backend.open()).extracting(QueueAskTest::field).containsExactly(field(held), next);
    }

    @Test
    void whoStandsBehindCallsOfOthersDoesNotFollowARelease() {
        Sent held = taken();
        waiter(2, 1);

        lock.unlockAsync(1);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("queue-part");
        assertThat(asking()).containsExactly(field(held));
    }

    /** Of a lease that runs out no message tells. */
    @Test
    void theOldestAsksWhenALeaseOfItsClientHasRunOutWhereverItStands() {
        lock.lockAsync(500, MILLISECONDS, 1);
        backend.next("queue-join").reply(1L, 7L, 0L);
        String next = waiter(2, 1);
        backend.topic().confirm();
        refusedAgain(backend.next("queue-join"));

        backend.runtime.advanceMillis(501);

        assertThat(asking()).containsExactly(next);
    }

    /** Thread 1 has the lock. */
    private Sent taken() {
        lock.lockAsync(1);
        Sent request = backend.next("queue-join");
        request.reply(1L, 7L, 0L);
        return request;
    }

    /** Three calls, whose client hears messages. */
    private List<String> waitersThatListen() {
        List<String> fields = List.of(waiter(1, 1), waiter(2, 2), waiter(3, 3));
        backend.topic().confirm();
        backend.open().forEach(QueueAskTest::refusedAgain);
        return fields;
    }

    /** A call that has been refused for the first time, at this place. */
    private String waiter(long threadId, long place) {
        lock.tryLockAsync(60, -1, SECONDS, threadId);
        Sent request = backend.next("queue-join");
        refusedAnew(request, place);
        return field(request);
    }

    private List<String> asking() {
        return backend.open().stream().map(QueueAskTest::field).toList();
    }

    private static void refusedAnew(Sent request, long place) {
        request.reply(0L, LEASE_MILLIS, place, 1L);
    }

    private static void refusedAgain(Sent request) {
        request.reply(0L, LEASE_MILLIS, 1L, 0L);
    }

    private static String field(Sent sent) {
        return sent.args.get(1);
    }
}
