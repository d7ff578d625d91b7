package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockNotHeldException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luaj.vm2.LuaString;

/** What {@link OrderChecker} makes of a run's calls: it finds what has no order, and forgives what faults explain. */
@Tag("proof")
class OrderCheckerTest extends CheckedWorld {

    private static final long STEP_NANOS = 10_000_000;
    private static final long A = 1;
    private static final long B = 2;
    private static final long C = 3;

    private final Chronicle chronicle = new Chronicle(world, 1);

    OrderCheckerTest() {
        super(ClientOptions.defaults());
    }

    // --- what is found ---

    @Test
    void callsThatCouldHaveHappenedOneAfterTheOtherAreLetThrough() {
        release(granted(A, 1), true);
        granted(B, 1);
        refused(C);
        assertPossible();
    }

    @Test
    void aGrantWithinTheValidityOfAnotherOwnerIsFound() {
        granted(A, 1);
        granted(B, 1);
        assertImpossible("granted while the lock was held");
    }

    /** Of all checkers only this one remembers what owners were told before. */
    @Test
    void anOwnerWhoTookItTwiceAndCouldGiveItBackOnlyOnceIsFound() {
        Claim claim = granted(A, 1);
        granted(A, 2);
        release(claim, true);
        release(claim, false);
        assertImpossible("its own hold was told lost while it was valid");
    }

    @Test
    void aCountThatDoesNotFitIsFound() {
        granted(A, 1);
        granted(A, 3);
        assertImpossible("counted 3 times, held 2 times");
    }

    // --- what says nothing ---

    @Test
    void aRefusalByNobodyIsFoundUnlessVotesMayBeSplit() {
        chronicle.refused(wants(B), false);
        assertPossible();
        refused(A);
        assertImpossible("refused although nobody else held it");
    }

    @Test
    void aRefusalBehindOthersOfTheSameClientSaysNothing() {
        Call call = wants(A);
        call.alone = false;
        chronicle.refused(call, true);
        assertPossible();
    }

    @Test
    void whatAServerHasGrantedAndNobodyWasToldOfExplainsARefusal() {
        book.added(LuaString.valueOf(KEY), LuaString.valueOf("c9:77:1"), false);
        refused(A);
        assertPossible();
    }

    @Test
    void aRefusalOfARequestThatMetItsOwnOwnerOnHisWayOutSaysNothing() {
        Call first = wants(A);
        Claim claim = granted(A, 1);
        Call release = new Call(client, LOCK, claim.owner, "releases lock 0", -1, Call.UNLIMITED);
        chronicle.releases(release, claim);
        pass();
        chronicle.refused(first, true);
        chronicle.done(release);
        assertPossible();
    }

    @Test
    void aRefusalOfARequestThatMetItsOwnOwnerAsHeStayedIsFound() {
        Call first = wants(A);
        granted(A, 1);
        chronicle.refused(first, true);
        assertImpossible("refused although nobody else held it");
    }

    // --- what faults explain, and since when ---

    @Test
    void anEvictionExcusesWhoeverComesAfterIt() {
        granted(A, 1);
        evict(A);
        granted(B, 1);
        assertPossible();
    }

    @Test
    void anEvictionExcusesNobodyWhoCameBeforeIt() {
        granted(A, 1);
        granted(B, 1);
        evict(A);
        assertImpossible("granted while the lock was held");
    }

    @Test
    void anEvictionExcusesOnlyTheHoldThatItHit() {
        granted(A, 1);
        evict(A);
        granted(B, 1);
        granted(C, 1);
        assertImpossible("c0:2 holds it");
    }

    @Test
    void aReleaseMayTellTheLossOfAnEarlierHoldThatItsOwnerStillOwed() {
        granted(A, 1);
        evict(A);
        Claim claim = granted(A, 1);
        release(claim, false);
        assertPossible();
    }

    private void evict(long thread) {
        pass();
        LuaString key = LuaString.valueOf(KEY);
        LuaString field = LuaString.valueOf("c0:" + thread + ":1");
        book.added(key, field, false);
        book.removed(key, field, Keyspace.Cause.EVICTED);
        pass();
    }

    // --- a run written down by hand ---

    private Call wants(long thread) {
        pass();
        Call call = new Call(client, LOCK, "c0:" + thread, "wants lock 0", Call.UNLIMITED, Call.UNLIMITED);
        call.asksFor(30_000);
        chronicle.wants(call);
        return call;
    }

    private Claim granted(long thread, int count) {
        Call call = wants(thread);
        pass();
        Claim claim = Claim.ofThread(client, LOCK, thread, ledger);
        claim.askedNanos = call.startNanos;
        chronicle.granted(call, claim, count);
        return claim;
    }

    private void refused(long thread) {
        chronicle.refused(wants(thread), true);
    }

    private void release(Claim claim, boolean done) {
        pass();
        Call call = new Call(client, LOCK, claim.owner, "releases lock 0", -1, Call.UNLIMITED);
        chronicle.releases(call, claim);
        pass();
        if (done) {
            chronicle.done(call);
        } else {
            chronicle.failed(
                    call, new LockNotHeldException("not held", KEY, claim.owner, "node-a", FailureReason.NOT_HELD));
        }
    }

    private void pass() {
        pass(STEP_NANOS);
    }

    private void assertPossible() {
        new OrderChecker(listener, chronicle, ledger).check(List.of(KEY), true);
        assertThat(complaints).isEmpty();
    }

    private void assertImpossible(String why) {
        new OrderChecker(listener, chronicle, ledger).check(List.of(KEY), true);
        assertThat(complaints)
                .singleElement()
                .asString()
                .startsWith("LIN: lock 'lock' is no ")
                .contains(why);
    }
}
