package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.Registration;
import io.holdfast.lock.TermEnd;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules 61 and 62 in orders of events that a real server hardly ever brings. */
class ElectionOrderTest {

    private static final long TERM = 41;
    private static final byte[] VALUE = "address".getBytes(UTF_8);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(
            backend, ClientOptions.builder().clientRecord(false).build(), "c");
    private final LeaderElection election = client.getElection("jobs");
    private final List<String> told = new ArrayList<>();

    // --- campaigns ---

    @Test
    void aCandidateLeadsWhenItIsProclaimed() {
        CompletableFuture<Leadership> call = elected();
        Sent proclaim = backend.next("proclaim");
        assertThat(proclaim.keys).containsExactly("holdfast:{jobs}", "holdfast:{jobs}:leader");
        assertThat(proclaim.args.subList(1, 6))
                .containsExactly("1", "address", "1", "3600000", "holdfast:{jobs}:leader");
        assertThat(call).isNotDone();
        proclaim.reply(1L);
        assertThat(now(call).term()).isEqualTo(TERM);
    }

    @Test
    void theLeaseIsTenSecondsUnderTheWatchdog() {
        election.campaignAsync("1", VALUE);
        assertThat(backend.next("queue-join").args.get(2)).isEqualTo("10000");
    }

    @Test
    void aProclamationWithoutAnAnswerIsRepeatedAsItIs() {
        CompletableFuture<Leadership> call = elected();
        Sent lost = backend.next("proclaim");
        lost.disconnected();
        backend.runtime.advanceMillis(100);
        Sent again = backend.next("proclaim");
        assertThat(again.args).isEqualTo(lost.args);
        again.reply(1L);
        assertThat(now(call).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void oneThatCannotBeProclaimedGivesTheLockBack() {
        CompletableFuture<Leadership> call = elected();
        backend.next("proclaim").fault(Fault.Kind.WRONGTYPE, false);
        assertFailed(call, LockServerException.class);
        assertThat(backend.open()).extracting(Sent::script).containsExactly("queue-part");
    }

    @Test
    void oneWhoseProclamationStaysUnknownGivesTheLockBack() {
        CompletableFuture<Optional<Leadership>> call =
                election.campaignAsync("1", VALUE, Duration.ZERO).toCompletableFuture();
        backend.next("queue-join").reply(1L, TERM, 0L);
        backend.next("proclaim").overdue();
        assertFailed(call, LockOutcomeUnknownException.class);
        assertThatThrownBy(call::join).hasMessageContaining("election 'jobs', owner c:h1");
        assertThat(backend.open()).extracting(Sent::script).contains("queue-part");
    }

    @Test
    void oneWhoseLockIsGoneHasLostIt() {
        CompletableFuture<Leadership> call = elected();
        backend.next("proclaim").reply(0L);
        assertFailed(call, LockLostException.class);
        assertThatThrownBy(call::join).hasMessageContaining("when its leader was to be proclaimed");
        assertThat(client.holds()).isEmpty();
    }

    @Test
    void oneWhoseLeaseIsOverMeanwhileHasLostIt() {
        CompletableFuture<Leadership> call = elected();
        for (int passed = 0; passed < 12 && !call.isDone(); passed++) {
            backend.runtime.advanceMillis(1_000);
        }
        assertFailed(call, LockLostException.class);
    }

    @Test
    void oneThatIsCancelledBeforeItIsProclaimedGivesTheLockBack() {
        CompletableFuture<Leadership> call = elected();
        Sent proclaim = backend.next("proclaim");
        call.cancel(true);
        assertThat(backend.open()).extracting(Sent::script).containsExactly("proclaim", "queue-part");
        proclaim.reply(1L);
        backend.next("queue-part").reply(1L, 0L);
        backend.runtime.advanceMillis(60_000);
        backend.assertNothingOpen();
        assertThat(backend.runtime.timers()).isZero();
    }

    @Test
    void oneThatIsCancelledWhileItWaitsLeaves() {
        CompletableFuture<Leadership> call = election.campaignAsync("1", VALUE).toCompletableFuture();
        backend.next("queue-join").reply(0L, 5_000L, 0L, 1L);
        call.cancel(true);
        assertThat(backend.open())
                .extracting(Sent::script)
                .contains("queue-part")
                .doesNotContain("proclaim");
    }

    // --- terms ---

    @Test
    void theRecordIsSaidAgainInTimeAndEndsWithTheTerm() {
        Leadership leadership = leading();
        leadership.setValueAsync("other".getBytes(UTF_8));
        backend.next("proclaim").reply(1L);
        long beganNanos = backend.runtime.nanos();
        Sent again = renewingUntil("proclaim");
        assertThat(Duration.ofNanos(backend.runtime.nanos() - beganNanos)).isEqualTo(Duration.ofMinutes(1));
        assertThat(again.args.subList(1, 4)).containsExactly("1", "other", "2");
        again.reply(1L);
        leadership.resignAsync();
        backend.next("queue-part").reply(1L, 0L);
        backend.runtime.advanceMillis(Duration.ofHours(1).toMillis());
        backend.assertNothingOpen();
        assertThat(backend.runtime.timers()).isZero();
    }

    @Test
    void whenItIsSaidAgainAndTheLockIsGoneTheTermIsLost() {
        Leadership leadership = leading();
        renewingUntil("proclaim").reply(0L);
        assertThat(leadership.state()).isEqualTo(HoldState.LOST);
        assertThat(now(leadership.ended().toCompletableFuture())).isEqualTo(TermEnd.LOST);
    }

    @Test
    void atItsLimitTheTermIsGivenUp() {
        long beganNanos = backend.runtime.nanos();
        Leadership leadership = leadingFor(Duration.ofSeconds(15));
        assertThat(leadership.validFor()).isLessThan(Duration.ofSeconds(10));
        Sent part = renewingUntil("queue-part");
        assertThat(Duration.ofNanos(backend.runtime.nanos() - beganNanos)).isEqualTo(Duration.ofSeconds(15));
        assertThat(now(leadership.ended().toCompletableFuture())).isEqualTo(TermEnd.LIMIT_REACHED);
        part.reply(1L, 0L);
        now(leadership.resignAsync().toCompletableFuture());
        backend.assertNothingOpen();
    }

    /** As in a process that stood still. */
    @Test
    void aTermIsOverThoughNoTimerHasComeYet() {
        Leadership leadership = leadingFor(Duration.ofSeconds(10));
        backend.open();
        backend.runtime.advanceMillis(4_000);
        backend.open().forEach(renewal -> renewal.reply(1L));
        backend.runtime.jumpMillis(7_000);
        assertThat(leadership.validFor()).isZero();
        assertThat(leadership.state()).isEqualTo(HoldState.RELEASED);
        assertThat(backend.open()).extracting(Sent::script).contains("queue-part");
    }

    /** The simulator found that each look gave it up once more. */
    @Test
    void looksAtATermThatIsOverDoNothing() {
        AtomicInteger tasks = new AtomicInteger();
        LockClient other = EngineClient.over(
                backend,
                ClientOptions.builder()
                        .clientRecord(false)
                        .callbackExecutor(task -> {
                            tasks.incrementAndGet();
                            task.run();
                        })
                        .build(),
                "d");
        CompletableFuture<Leadership> call = other.getElection("jobs")
                .withTermLimit(Duration.ofSeconds(10))
                .campaignAsync("1", VALUE)
                .toCompletableFuture();
        backend.next("queue-join").reply(1L, TERM, 0L);
        backend.next("proclaim").reply(1L);
        Leadership leadership = now(call);
        backend.runtime.jumpMillis(11_000);
        assertThat(leadership.validFor()).isZero();
        tasks.set(0);
        assertThat(leadership.validFor()).isZero();
        assertThat(leadership.state()).isNotEqualTo(HoldState.HELD);
        assertThat(tasks).hasValue(0);
    }

    @Test
    void valuesThatAreSetAtTheSameTimeHaveAnOrder() {
        Leadership leadership = leading();
        CompletableFuture<Void> first =
                leadership.setValueAsync("b".getBytes(UTF_8)).toCompletableFuture();
        CompletableFuture<Void> second =
                leadership.setValueAsync("c".getBytes(UTF_8)).toCompletableFuture();
        List<Sent> open = backend.open();
        assertThat(open).extracting(sent -> sent.args.get(3)).containsExactly("2", "3");
        open.get(1).reply(1L);
        assertThat(first).isNotDone();
        now(second);
        open.get(0).reply(1L);
        now(first);
    }

    /** Its caller was told that it had no effect. */
    @Test
    void aValueThatWasRefusedIsNotToldLater() {
        Leadership leadership = leading();
        CompletableFuture<Void> refused =
                leadership.setValueAsync("b".getBytes(UTF_8)).toCompletableFuture();
        backend.next("proclaim").fault(Fault.Kind.WRONGTYPE, false);
        assertFailed(refused, LockServerException.class);
        assertThat(backend.next("proclaim").args.subList(2, 4)).containsExactly("address", "3");
        backend.next("proclaim").reply(1L);
        assertThat(renewingUntil("proclaim").args.subList(2, 4)).containsExactly("address", "3");
    }

    /** As in a process that stood still for longer than its lease and its limit. */
    @Test
    void aTermThatWasLostBeforeItsLimitHasNotReachedIt() {
        Leadership leadership = leadingFor(Duration.ofSeconds(60));
        backend.runtime.jumpMillis(70_000);
        assertThat(leadership.validFor()).isZero();
        assertThat(leadership.state()).isEqualTo(HoldState.LOST);
        backend.runtime.advanceMillis(10);
        assertThat(now(leadership.ended().toCompletableFuture())).isEqualTo(TermEnd.LOST);
    }

    // --- observers ---

    @Test
    void anObserverLooksAtTheConfirmationOfBothChannelsAndAtMessages() {
        observing();
        assertThat(backend.topics)
                .extracting(topic -> topic.channel)
                .containsExactly("holdfast:{jobs}:free", "holdfast:{jobs}:leader");
        backend.topics.get(0).confirm();
        backend.assertNothingOpen();
        backend.topics.get(1).confirm();
        look().reply(7L, 9_000L, 1L, "1", "a");
        backend.topics.get(1).publish("7");
        look().reply(7L, 9_000L, 2L, "1", "b");
        backend.topics.get(0).publish();
        look().reply(0L, -2L);
        assertThat(told).containsExactly("nobody", "1 a 7", "1 b 7", "nobody");
    }

    @Test
    void aMessageDuringALookMakesItLookAgain() {
        observing();
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        Sent look = look();
        backend.topics.get(1).publish("7");
        look.reply(0L, -2L);
        look().reply(7L, 9_000L, 1L, "1", "a");
        assertThat(told).containsExactly("nobody", "1 a 7");
    }

    @Test
    void itLooksWhenTheLeaseThatItSawIsOver() {
        observing();
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        look().reply(7L, 700L, 1L, "1", "a");
        backend.runtime.advanceMillis(700);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1);
        look().reply(0L, -2L);
        assertThat(told).endsWith("nobody");
    }

    @Test
    void anElectedCandidateThatIsNotProclaimedDoesNotLead() {
        observing();
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        look().reply(7L, 9_000L, 1L, "1", "a");
        backend.topics.get(0).publish("x:1:1;");
        look().reply(8L, 9_000L);
        assertThat(told).endsWith("1 a 7", "nobody");
    }

    @Test
    void anObserverIsNotToldOfAnEarlierTermNorOfAnEarlierValue() {
        observing();
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        look().reply(7L, 9_000L, 2L, "2", "b");
        backend.topics.get(0).publish();
        look().reply(7L, 9_000L, 1L, "2", "a");
        backend.topics.get(0).publish();
        look().reply(6L, 9_000L, 1L, "1", "a");
        assertThat(told).containsExactly("nobody", "2 b 7", "nobody");
    }

    @Test
    void troubleEndsNoObserver() {
        observing();
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        look().fault(Fault.Kind.WRONGTYPE, false);
        backend.runtime.advanceMillis(1_000);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(5_000);
        look().disconnected();
        long outage = ClientOptions.defaults().maxOutage().toMillis();
        for (long passed = 0; passed < 2 * outage; passed += 1_000) {
            backend.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(1_000);
        }
        backend.open().forEach(look -> look.fault(Fault.Kind.UNREACHABLE, false));
        backend.reconnected();
        look().reply(7L, 9_000L, 1L, "1", "a");
        assertThat(told).containsExactly("nobody", "1 a 7");
    }

    @Test
    void anObserverThatIsClosedLeavesNothingBehind() {
        Registration registration = observing();
        registration.close();
        backend.runtime.advanceMillis(1_000);
        assertThat(backend.topics).allMatch(topic -> topic.closed);
        backend.runtime.advanceMillis(60_000);
        backend.assertNothingOpen();
        assertThat(backend.runtime.timers()).isZero();
    }

    /** Not all that is thrown is declared: other languages, and tricks in this one, know no such rule. */
    @Test
    void anObserverThatThrowsAnythingIsToldOn() {
        AtomicInteger calls = new AtomicInteger();
        election.observe(leader -> {
            calls.incrementAndGet();
            ElectionOrderTest.<RuntimeException>throwAnything(new Exception("on purpose"));
        });
        look().reply(0L, -2L);
        backend.topics.forEach(ScriptedBackend.Topic::confirm);
        look().reply(7L, 9_000L, 1L, "1", "a");
        assertThat(calls).hasValue(2);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwAnything(Exception anything) throws E {
        throw (E) anything;
    }

    /** An observer, or what waits for the end of a term, may block for long: it has no thread of those for losses. */
    @Test
    void observersAndEndsOfTermsAreToldBesideTheLosses() {
        List<Runnable> losses = new ArrayList<>();
        List<Runnable> elections = new ArrayList<>();
        backend.runtime.losses(losses::add);
        backend.runtime.elections(elections::add);
        Leadership leadership = leading();
        leadership.onLost(loss -> told.add("lost"));
        leadership.ended().thenAccept(end -> told.add("ended " + end));
        renewingUntil("proclaim").reply(0L);
        election.observe(leader -> told.add("observed"));
        backend.open().stream().filter(sent -> sent.script().equals("observe")).forEach(look -> look.reply(0L, -2L));

        assertThat(losses).hasSize(1);
        losses.forEach(Runnable::run);
        assertThat(told).containsExactly("lost");
        elections.forEach(Runnable::run);
        assertThat(told).containsExactly("lost", "ended LOST", "observed");
    }

    @Test
    void observersOfAClientShareALookAndItsChannels() {
        observing();
        election.observe(leader -> {});
        look().reply(0L, -2L);
        assertThat(backend.topics).hasSize(2);
    }

    // --- steps ---

    /** A campaign whose lock is granted. */
    private CompletableFuture<Leadership> elected() {
        CompletableFuture<Leadership> call = election.campaignAsync("1", VALUE).toCompletableFuture();
        backend.next("queue-join").reply(1L, TERM, 0L);
        return call;
    }

    private Leadership leading() {
        CompletableFuture<Leadership> call = elected();
        backend.next("proclaim").reply(1L);
        return now(call);
    }

    private Leadership leadingFor(Duration limit) {
        CompletableFuture<Leadership> call =
                election.withTermLimit(limit).campaignAsync("1", VALUE).toCompletableFuture();
        backend.next("queue-join").reply(1L, TERM, 0L);
        backend.next("proclaim").reply(1L);
        return now(call);
    }

    /** Lets time pass, and answers renewals, until something else is sent. */
    private Sent renewingUntil(String script) {
        for (int second = 0; second < 4_000; second++) {
            for (Sent open : backend.open()) {
                if (open.script().equals(script)) {
                    return open;
                }
                open.reply(1L);
            }
            backend.runtime.advanceMillis(1_000);
        }
        throw new AssertionError("no " + script + " was sent");
    }

    /** An observer that was told that nobody leads. */
    private Registration observing() {
        Registration registration = election.observe(
                leader -> told.add(leader.map(ElectionOrderTest::shown).orElse("nobody")));
        look().reply(0L, -2L);
        return registration;
    }

    private static String shown(Leader leader) {
        return String.join(
                " ",
                Stream.of(leader.id(), new String(leader.value(), UTF_8), leader.term())
                        .map(String::valueOf)
                        .toList());
    }

    private Sent look() {
        return backend.next("observe");
    }
}
