package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luaj.vm2.LuaString;
import org.slf4j.LoggerFactory;

/** Every checker finds what it is there for, and is silent otherwise: a check that can't fail proves nothing. */
@Tag("proof")
class CheckersTest extends CheckedWorld {

    private static final int SERVER = 0;
    private static final long NOON_MICROS = 1_000;

    CheckersTest() {
        super(ClientOptions.defaults());
    }

    // --- ME ---

    private record Window(String owner, boolean isValid, boolean isExcused) implements ExclusionChecker.Window {}

    @Test
    void twoValidWindowsAtOnceBreakExclusion() {
        handOut(new Window("a", true, false));
        assertThat(complaints).singleElement().asString().startsWith("ME: ");
    }

    @Test
    void aWindowThatHasEndedOrIsExcusedOrIsOnesOwnDoesNot() {
        handOut(new Window("a", false, false));
        handOut(new Window("a", true, true));
        handOut(new Window("b", true, false));
        assertThat(complaints).isEmpty();
    }

    private void handOut(Window other) {
        new ExclusionChecker(listener).handedOut(new Window("b", true, false), List.of(other));
    }

    @Test
    void aWindowThatComesBackBreaksExclusion() {
        ExclusionChecker checker = new ExclusionChecker(listener);
        checker.passed(new Window("a", false, false), false);
        assertThat(complaints).isEmpty();
        checker.passed(new Window("a", true, false), true);
        assertThat(complaints).singleElement().asString().startsWith("ME: ");
    }

    // --- FM ---

    @Test
    void aTokenThatDoesNotIncreaseIsFound() {
        FencingChecker checker = single();
        checker.granted(SERVER, LOCK, "a", 0, 7, NOON_MICROS);
        checker.granted(SERVER, LOCK, "a", 7, 7, NOON_MICROS);
        checker.granted(SERVER, LOCK, "b", 0, 8, NOON_MICROS);
        assertThat(complaints).isEmpty();
        checker.granted(SERVER, LOCK, "c", 0, 8, NOON_MICROS);
        assertThat(complaints).singleElement().asString().startsWith("FM: ");
    }

    @Test
    void afterLostDataOnlyAClockThatIsBehindExcuses() {
        FencingChecker checker = single();
        checker.granted(SERVER, LOCK, "a", 0, NOON_MICROS, NOON_MICROS);
        checker.lostData(SERVER);
        checker.granted(SERVER, LOCK, "b", 0, NOON_MICROS - 5, NOON_MICROS - 5);
        assertThat(complaints).isEmpty();
        checker.granted(SERVER, LOCK, "c", 0, NOON_MICROS - 4, NOON_MICROS + 1);
        assertThat(complaints).singleElement().asString().startsWith("FM: ");
    }

    @Test
    void aValidHolderWhomTheResourceRefusesIsFound() {
        FencingChecker checker = single();
        checker.write(LOCK, "a", 7, true);
        checker.write(LOCK, "late", 6, false);
        assertThat(complaints).isEmpty();
        assertThat(checker.refusedWrites()).isEqualTo(1);
        checker.write(LOCK, "b", 6, true);
        assertThat(complaints).singleElement().asString().startsWith("FM: ");
    }

    @Test
    void tokensOfAQuorumIncreaseInTheOrderOfHandingOut() {
        FencingChecker checker = new FencingChecker(listener, 3, 1, true);
        checker.handedOut(LOCK, "a", 900, true);
        checker.handedOut(LOCK, "b", 901, true);
        assertThat(complaints).isEmpty();
        checker.handedOut(LOCK, "c", 101, true);
        assertThat(complaints).isNotEmpty().allMatch(text -> text.startsWith("FM: "));
    }

    private FencingChecker single() {
        return new FencingChecker(listener, 1, 1, false);
    }

    // --- those that look at a world ---

    private static final long SECOND = 1_000_000_000L;

    /** A hold of owner {@code c0:h1}, of which nobody asks anything else. */
    private static LockHold hold(HoldState state) {
        return (LockHold) Proxy.newProxyInstance(
                LockHold.class.getClassLoader(),
                new Class<?>[] {LockHold.class},
                (hold, method, arguments) -> method.getName().equals("state") ? state : "c0:h1");
    }

    private Call call(long waitNanos, long boundNanos) {
        return new Call(client, LOCK, "", "waits for lock 0", waitNanos, boundNanos);
    }

    @Test
    void aCallThatEndsLateOrNotAtAllIsFound() {
        EndingChecker checker = new EndingChecker(listener);
        Call prompt = call(0, SECOND);
        checker.began(prompt);
        checker.ended(prompt, SECOND);
        checker.allEnded(call -> false);
        assertThat(complaints).isEmpty();
        Call late = call(0, SECOND);
        checker.began(late);
        checker.ended(late, 2 * SECOND);
        assertThat(complaints).singleElement().asString().startsWith("LV: ");
        complaints.clear();
        checker.began(call(Call.UNLIMITED, Call.UNLIMITED));
        checker.allEnded(call -> true);
        assertThat(complaints).isEmpty();
        checker.allEnded(call -> false);
        assertThat(complaints).singleElement().asString().startsWith("LV: ");
    }

    @Test
    void aWaiterOfAFreeLockIsFoundSoonAndAfterAPollAtMost() {
        assertThat(secondsUntilFound(0, false)).isBetween(1.0, 1.5);
        assertThat(secondsUntilFound(0, true)).isBetween(6.0, 8.0);
        assertThat(secondsUntilFound(4, false)).isBetween(6.0, 15.0);
    }

    /** @param disturbedSeconds how long something was wrong after the call had begun */
    private double secondsUntilFound(long disturbedSeconds, boolean mayHaveToPoll) {
        pass(10 * SECOND);
        complaints.clear();
        WakeUpChecker checker = new WakeUpChecker(listener, false, true);
        Call waiting = call(Call.UNLIMITED, Call.UNLIMITED);
        long start = world.nanos();
        long disturbedUntil = disturbedSeconds == 0 ? start - 9 * SECOND : start + disturbedSeconds * SECOND;
        WakeUpChecker.Knowledge knowledge = new WakeUpChecker.Knowledge() {
            @Override
            public long heldUntilNanos(int lock) {
                return start;
            }

            @Override
            public boolean mayHaveToPoll(Call call) {
                return mayHaveToPoll;
            }
        };
        while (complaints.isEmpty()) {
            assertThat(checker.mayBeAboutToLook(waiting, world.nanos()))
                    .isEqualTo(mayHaveToPoll && waiting.seen && world.nanos() - start <= 13 * SECOND / 2);
            pass(WakeUpChecker.PERIOD_NANOS);
            checker.look(
                    world.nanos(),
                    disturbedUntil,
                    0,
                    List.of(server),
                    List.of(LuaString.valueOf(KEY)),
                    List.of(waiting),
                    knowledge);
        }
        assertThat(complaints.get(0)).startsWith("NLW: ");
        return (world.nanos() - start) / (double) SECOND;
    }

    @Test
    void aKeyThatNobodyHoldsIsFound() {
        CountChecker checker = new CountChecker(listener);
        checker.nothingLeft(server, KEY, ledger, false);
        assertThat(complaints).isEmpty();
        LuaString key = LuaString.valueOf(KEY);
        server.keys().hset(key, LuaString.valueOf("c0:7:1"), LuaString.valueOf("1"));
        checker.nothingLeft(server, KEY, ledger, false);
        assertThat(complaints).singleElement().asString().startsWith("HC: ");
        complaints.clear();
        checker.compare(List.of(client), List.of(server), referee, ledger, List.of(KEY), false);
        assertThat(complaints).singleElement().asString().startsWith("HC: ");
    }

    @Test
    void whatCameLateOfAConnectionThatWasLeftMayBeThereInTheEnd() {
        CountChecker checker = new CountChecker(listener);
        LuaString key = LuaString.valueOf(KEY);
        LuaString field = LuaString.valueOf("c0:7:1");
        server.keys().hset(key, field, LuaString.valueOf("1"));
        server.keys().hset(key, Keyspace.TOKEN_FIELD, LuaString.valueOf("5"));
        book.added(key, field, false);
        book.granted(key, field, 5, 1, 1, true);
        checker.nothingLeft(server, KEY, ledger, false);
        assertThat(complaints).isEmpty();
        checker.nothingLeft(server, KEY, ledger, true);
        assertThat(complaints).singleElement().asString().startsWith("HC: ");
        complaints.clear();
        server.keys().hset(key, LuaString.valueOf("c0:8:2"), LuaString.valueOf("1"));
        checker.nothingLeft(server, KEY, ledger, false);
        assertThat(complaints).singleElement().asString().startsWith("HC: ");
    }

    @Test
    void aCountThatDiffersIsFoundUnlessItsOwnerIsAboutToChangeIt() {
        server.keys().hset(LuaString.valueOf(KEY), LuaString.valueOf("c0:h1:1"), LuaString.valueOf("2"));
        Claim claim = Claim.ofHandle(client, LOCK, hold(HoldState.HELD), ledger);
        claim.validUntilNanos = SECOND;
        referee.claims(LOCK).add(claim);
        Call releasing = new Call(client, LOCK, claim.owner, "releases lock 0", -1, SECOND);
        referee.ending.began(releasing);
        CountChecker checker = new CountChecker(listener);
        checker.compare(List.of(client), List.of(server), referee, ledger, List.of(KEY), false);
        assertThat(complaints).isEmpty();
        referee.ending.ended(releasing, 0);
        checker.compare(List.of(client), List.of(server), referee, ledger, List.of(KEY), false);
        assertThat(complaints).singleElement().asString().startsWith("HC: ").contains("counts 2, its client 1");
    }

    @Test
    void aHoldThatDoesNotRegainAServerIsFound() {
        Claim claim = Claim.ofHandle(client, LOCK, hold(HoldState.HELD), ledger);
        claim.validUntilNanos = 60 * SECOND;
        referee.claims(LOCK).add(claim);
        RegainChecker checker = new RegainChecker(listener, 3 * SECOND);
        lookForRegained(checker);
        pass(5 * SECOND / 2);
        lookForRegained(checker);
        assertThat(complaints).as("there is time yet").isEmpty();
        pass(SECOND / 2);
        lookForRegained(checker);
        assertThat(complaints).singleElement().asString().startsWith("LV: ").contains("has not regained");
    }

    @Test
    void aHoldThatIsEverywhereHasNothingToRegain() {
        server.keys().hset(LuaString.valueOf(KEY), LuaString.valueOf("c0:h1:1"), LuaString.valueOf("1"));
        Claim claim = Claim.ofHandle(client, LOCK, hold(HoldState.HELD), ledger);
        claim.validUntilNanos = 60 * SECOND;
        referee.claims(LOCK).add(claim);
        RegainChecker checker = new RegainChecker(listener, 3 * SECOND);
        lookForRegained(checker);
        pass(3 * SECOND);
        lookForRegained(checker);
        assertThat(complaints).isEmpty();
    }

    private void lookForRegained(RegainChecker checker) {
        checker.look(world.nanos(), 0, List.of(server), List.of(KEY), referee, ledger);
    }

    @Test
    void aHoldThatIsForgottenIsFoundWhereNothingIsToBe() {
        Claim claim = Claim.ofHandle(client, LOCK, hold(HoldState.LOST), ledger);
        claim.levels.push(true);
        pass(10 * SECOND);
        manners().lost(claim, LossReason.KEY_GONE, referee);
        assertThat(complaints).as("servers may forget").isEmpty();
        MannersChecker strict = manners();
        strict.expectsToBeKept(kept -> kept == claim);
        strict.lost(claim, LossReason.KEY_GONE, referee);
        assertThat(complaints).singleElement().asString().startsWith("LV: ");
    }

    // --- clients that behave ---

    private final Referee referee = new Referee(world, ledger, single(), listener, 1);

    private MannersChecker manners() {
        return new MannersChecker(
                world, listener, List.of(LuaString.valueOf(KEY)), 5 * SECOND, false, 2 * SECOND, () -> 0);
    }

    @Test
    void aClientWhoseClockStoodStillMayRefuseBecauseOfItsOwnHold() {
        Claim claim = Claim.ofHandle(client, LOCK, hold(HoldState.LOST), ledger);
        referee.claims(LOCK).add(claim);
        assertThat(referee.believesHeld(call(0, SECOND))).isFalse();
        client.doubtClock(SECOND);
        assertThat(referee.believesHeld(call(0, SECOND))).isTrue();
    }

    private static LockException unknown() {
        return new LockOutcomeUnknownException("", "lock", "", "", FailureReason.NO_ANSWER, null);
    }

    private static LockException unavailable() {
        return new LockUnavailableException("", "lock", "", "", FailureReason.LOADING, null);
    }

    @Test
    void anUnknownOutcomeWithoutAnyFaultIsFound() {
        manners().failed(call(0, SECOND), unknown());
        assertThat(complaints).isEmpty();
        pass(10 * SECOND);
        manners().failed(call(0, SECOND), unknown());
        assertThat(complaints).singleElement().asString().startsWith("ERR: ");
    }

    @Test
    void givingUpAtOnceWhatPassesIsFound() {
        manners().failed(call(SECOND, 2 * SECOND), unavailable());
        assertThat(complaints).isEmpty();
        manners().failed(call(4 * SECOND, 5 * SECOND), unavailable());
        assertThat(complaints).singleElement().asString().startsWith("ERR: ");
    }

    @Test
    void askingWithoutEndIsFound() {
        Request asking = Request.of(new Asked("acquire"));
        for (int i = 0; i < 150; i++) {
            client.heard.asks(asking);
        }
        manners().look(List.of(client), referee, true);
        assertThat(complaints).isEmpty();
        client.heard.asks(asking);
        manners().look(List.of(client), referee, true);
        assertThat(complaints).singleElement().asString().startsWith("LV: ");
    }

    @Test
    void tryingAgainWhatIsHopelessIsFound() {
        Call call = call(SECOND, 2 * SECOND);
        refusedForGood(acquire(), acquire());
        manners().failed(call, unavailable());
        assertThat(complaints).isEmpty();
        refusedForGood(acquire());
        manners().failed(call, unavailable());
        assertThat(complaints).singleElement().asString().startsWith("LV: ").contains("3 times");
    }

    @Test
    void whatWaitedForAConnectionBeforeACallIsNotCountedAsItsTry() {
        Request before = acquire();
        client.heard.wantsToAsk(before);
        pass(SECOND);
        Call call = call(4 * SECOND, 5 * SECOND);
        refusedForGood(before, acquire(), acquire());
        pass(3 * SECOND);
        manners().failed(call, unavailable());
        assertThat(complaints).isEmpty();
    }

    private static Request acquire() {
        return Request.of(new Asked("acquire"));
    }

    private void refusedForGood(Request... tries) {
        for (Request each : tries) {
            client.heard.asks(each);
            client.heard.refusedForGood(each);
        }
    }

    @Test
    void aFullServerThatRefusesAReleaseIsFound() {
        book.outOfMemory("acquire");
        assertThat(world.violation()).isNull();
        book.outOfMemory("release");
        assertThat(world.violation()).isNotNull().hasMessageContaining("refuses to release");
    }

    @Test
    void errorsThatTheEngineCanOnlyLogAreFound() {
        SwallowedErrors.forget();
        assertThat(SwallowedErrors.first()).isNull();
        LoggerFactory.getLogger("io.holdfast.lock.engine.Test")
                .error("a step failed", new IllegalStateException("bug"));
        assertThat(SwallowedErrors.first()).contains("a step failed").contains("bug");
        SwallowedErrors.forget();
    }
}
