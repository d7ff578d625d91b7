package io.holdfast.lock.engine.wait;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Grant;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.step.Asked;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that wants the lock, from its arrival to its end. Everything that is not final belongs to the steps of the
 * lock's cell.
 */
public class Ticket implements Asker {

    /** What a ticket does to get the lock. */
    private enum Stage {
        /** It waits for a reason to ask. */
        WAITING,
        /** Its request is under way. */
        ASKING,
        /** A hand-over to it is under way, and no request of its own. */
        RECEIVING,
        /** Its lock was granted, and replicas have yet to confirm that. */
        CONFIRMING,
        /** Its request met a fault, and is sent again when that may have passed. */
        PAUSING
    }

    /** No deadline. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Other clients are not told of a call that waits for less. */
    private static final long WORTH_TELLING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A longer wait is one without a limit: two such times can't be added up in nanoseconds. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(LeaseTerm.LONGEST_MILLIS);

    final LockKeys keys;
    Terms terms;
    public final Owner owner;
    private final LeaseTerm lease;
    /** Set for blocking calls: when this thread dies, renewal ends. */
    final @Nullable Thread thread;

    final long startNanos;
    /** How long the caller is willing to wait from the start; {@link #NEVER} for ever. */
    public final long waitNanos;

    public final Pending<Optional<Hold>> result;

    /** The field of the attempt in flight, or of one that may have been applied; each acquisition has its own. */
    byte @Nullable [] field;

    private Stage stage = Stage.WAITING;
    /** Whether an attempt with the present field may have taken effect. */
    boolean maybeApplied;

    /** A reason to ask came while its request was in flight: if that is refused, it asks again at once (rule 26). */
    boolean lookAgain;

    /**
     * How many stand before its field in the queue at the server, and how many had been admitted there when it was told so;
     * {@link Outcome.Refused#NO_PLACE} if it has no place there.
     */
    private int place = Outcome.Refused.NO_PLACE;

    /** Whether it was refused since its client had to see to its places: it may count on its place. */
    boolean standing;

    /** The field under which its owner holds the lock otherwise, as its request in flight says; null for none. */
    private byte @Nullable [] heldBeside;

    /** How far its client is, as its request in flight says. */
    private byte distance;

    /** How many tokens its request in flight asks for. */
    private char tokens = 1;

    /** The request in flight, so that it can be taken back; null while there is none, or a hand-over. */
    @Nullable
    Asked asked;

    public long sentNanos;
    /** When the request in flight has had its time. */
    long answerDueNanos;

    /** Requests that met a fault since the last one that was answered. */
    private byte failures;

    /** Whether it stands in a queue, of waiting calls or of those that ask once. */
    public boolean queued;

    @Nullable
    Ticket next;

    @Nullable
    Ticket previous;

    /** The one before it of its owner, in the same queue. */
    @Nullable
    Ticket older;

    /** The one behind it of its owner, in the same queue. */
    @Nullable
    Ticket newer;

    @Nullable
    public Timer deadlineTimer;

    /** Until its request, which met a fault, is sent again. */
    private @Nullable Timer retryTimer;

    public Ticket(
            LockKeys keys,
            Terms terms,
            Owner owner,
            LeaseTerm lease,
            long waitNanos,
            @Nullable Thread thread,
            long startNanos,
            Pending<Optional<Hold>> result) {
        this.keys = keys;
        this.terms = terms;
        this.owner = owner;
        this.lease = lease;
        this.waitNanos = waitNanos;
        this.thread = thread;
        this.startNanos = startNanos;
        this.result = result;
    }

    /** Whether listeners are told how it ends: a MultiLock tells them when it ends itself. */
    final boolean isTold() {
        return taker() == null;
    }

    /** The MultiLock that wants the lock as one of its members; null if its caller wants this lock alone. */
    @Nullable
    public Object taker() {
        return null;
    }

    /** The wait of a call that names this one. */
    public static long waitNanos(long named) {
        return named > LONGEST_WAIT_NANOS ? NEVER : named;
    }

    /** The same, of any length. */
    public static long waitNanos(Duration named) {
        try {
            return waitNanos(named.toNanos());
        } catch (ArithmeticException tooLong) {
            return named.isNegative() ? 0 : NEVER;
        }
    }

    @Override
    public LockKind kind() {
        return terms.kind();
    }

    @Override
    public long leaseMillis() {
        return lease.millis();
    }

    @Override
    public int tokens() {
        return tokens;
    }

    @Override
    public long askedMillis() {
        return tokens > 1 ? Grant.askedMillis(leaseMillis(), watched()) : leaseMillis();
    }

    /** Whether the watchdog renews the hold. */
    @Override
    public final boolean watched() {
        return lease.watched();
    }

    /** Whether what it leaves at the server may be kept there for good, by other calls of its client. */
    boolean isKeptByOthers() {
        return false;
    }

    /** It goes on waiting as a call of another kind, in the loop of that. */
    void goesOnAs(LockKind other) {
        cancelTimers();
        terms = terms.as(other);
        field = maybeApplied ? field : null;
    }

    /** How long what it leaves at the server may stay there. */
    long longestLeftMillis() {
        return kind().queues() ? Math.max(leaseMillis(), Queued.PRESENCE_MILLIS) : askedMillis();
    }

    @Override
    public boolean waits() {
        return !once();
    }

    @Override
    public int distance() {
        return distance;
    }

    @Override
    public long sinceNanos() {
        return startNanos;
    }

    /** A lock that is reserved for a call that has given up stays unused for a moment. */
    @Override
    public boolean waitsLong() {
        return leftNanos(sentNanos) >= WORTH_TELLING_NANOS;
    }

    @Override
    public byte @Nullable [] heldBeside() {
        return heldBeside;
    }

    LockOptions options() {
        return terms.options();
    }

    /** Whether its first request gives back what its owner holds, which may not wait for room (rule 81). */
    boolean givesUp() {
        return false;
    }

    /** As what a grant makes it hold the lock. */
    LockKind grantedKind() {
        return kind();
    }

    /** The call leaves where it waits, for whatever reason. */
    void isTakenOut(HoldSteps holds) {}

    /** Whether the call has no wait: it asks the server once and never queues. */
    boolean once() {
        return waitNanos <= 0;
    }

    boolean limited() {
        return waitNanos != NEVER;
    }

    /** How much of the wait is left; {@link #NEVER} without a limit. */
    long leftNanos(long now) {
        return limited() ? Math.max(0, waitNanos) - (now - startNanos) : NEVER;
    }

    long waitedNanos(long now) {
        return now - startNanos;
    }

    /** What others may know of it. From any thread. */
    Waiter asWaiter(long now) {
        Thread caller = thread;
        return new Waiter(
                owner,
                kind().holdKind(),
                Math.max(0, waitedNanos(now)),
                caller == null ? Optional.empty() : Optional.of(caller.getName()));
    }

    /** What it asks under next: a field that was never used, or several. */
    byte[] newField(ClientFacts facts) {
        return kind().outOfQueue() == null
                ? facts.newField(owner)
                : facts.fields().nextBeside(owner);
    }

    /** Does something with the terms of each acquisition that it is to bring. */
    void eachTerms(Consumer<Terms> action) {
        action.accept(terms);
    }

    /** The holds that the same grant made beside the first one. */
    List<Hold> others() {
        return List.of();
    }

    /** The hold that a grant to this ticket makes, or the first of several. */
    Hold hold(LockCell cell, byte[] grantedField, Outcome.Granted granted, long now) {
        return new Hold(
                cell,
                terms,
                owner,
                grantedField,
                granted.token(),
                granted.leases(),
                leaseMillis(),
                watched(),
                thread,
                taker(),
                now);
    }

    public boolean isOver() {
        return result.isSettled();
    }

    /** Whether its request, or a hand-over to it, is under way; or a grant is, which replicas have yet to confirm. */
    boolean isInFlight() {
        return stage == Stage.ASKING || stage == Stage.RECEIVING || isConfirming();
    }

    /** Whether the lock was granted to it, and replicas have yet to confirm that (rule 85). */
    boolean isConfirming() {
        return stage == Stage.CONFIRMING;
    }

    /** Whether a request of its own may be at the server, or what that was granted, or its place in the queue there. */
    boolean mayBeAtServer() {
        return maybeApplied || stage == Stage.ASKING || isConfirming() || isPlaced();
    }

    /** Whether its field stands in the queue at the server, or was admitted from there since (rule 39). */
    boolean isPlaced() {
        return place != Outcome.Refused.NO_PLACE;
    }

    /** How many stand before it at the server, as far as is known. */
    int before(int admitted) {
        return Math.max(0, place - admitted);
    }

    /** How many have been admitted at least, now that it was: it, and those who stood before it. */
    int admittedWithIt(int admitted) {
        return isPlaced() ? Math.max(admitted, place + 1) : admitted;
    }

    /** Its request was refused. The field is kept while it has a place; the next request brings another one if it has none. */
    void refusedAt(int placeAtServer, int admitted) {
        if (placeAtServer == Outcome.Refused.NO_PLACE) {
            leavesPlace();
        } else {
            place = placeAtServer + admitted;
            standing = true;
        }
    }

    /** Its field is given up, or has become a hold's. */
    void leavesPlace() {
        place = Outcome.Refused.NO_PLACE;
        standing = false;
        field = null;
    }

    /** Whether a request is under way, or will be sent without another reason. */
    boolean isBusy() {
        return stage != Stage.WAITING;
    }

    /** Its request is being sent, under this field. */
    void asks(byte[] ownField, byte @Nullable [] besideField, int distanceNow, int tokensToPutBy, long now) {
        cancelRetry();
        lookAgain = false;
        heldBeside = besideField;
        distance = (byte) distanceNow;
        tokens = (char) tokensToPutBy;
        stage = Stage.ASKING;
        field = ownField;
        sentNanos = now;
    }

    /** Its request has an answer, or none will come. */
    void answered() {
        stage = Stage.WAITING;
        asked = null;
    }

    /** Its request met a fault, and this timer brings the next. */
    void pauses(Timer untilRetry) {
        stage = Stage.PAUSING;
        retryTimer = untilRetry;
    }

    /** The lock is being handed over to this ticket, under this field. */
    public void receives(byte[] handedField, long now, long answerNanos) {
        cancelRetry();
        stage = Stage.RECEIVING;
        field = handedField;
        sentNanos = now;
        answerDueNanos = now + answerNanos;
    }

    /** The lock was granted under this field, and is not handed out before replicas have confirmed that. */
    void awaitsReplicas(byte[] grantedField, long dueNanos) {
        stage = Stage.CONFIRMING;
        field = grantedField;
        asked = null;
        answerDueNanos = dueNanos;
    }

    /**
     * The hand-over under this field has ended, or replicas were heard.
     *
     * @return whether the ticket still waits for it
     */
    public boolean received(byte[] handedField) {
        boolean waits = field == handedField;
        if (waits) {
            field = null;
            stage = Stage.WAITING;
        }
        return waits;
    }

    /**
     * A request has met a fault.
     *
     * @return how many had before, since the last one that was answered
     */
    int countFailure() {
        int before = failures;
        failures = (byte) Math.min(before + 1, Byte.MAX_VALUE);
        return before;
    }

    /** A request was answered. */
    void forgetFailures() {
        failures = 0;
    }

    /** Takes back the request in flight unless it was written; true if the present field can't be at the server. */
    boolean takeBack() {
        boolean neverSent = asked != null && asked.takeBack();
        return neverSent && !maybeApplied;
    }

    private void cancelRetry() {
        Timer timer = retryTimer;
        if (timer != null) {
            timer.cancel();
            retryTimer = null;
            stage = Stage.WAITING;
        }
    }

    public void cancelTimers() {
        cancelRetry();
        Timer timer = deadlineTimer;
        if (timer != null) {
            timer.cancel();
            deadlineTimer = null;
        }
    }
}
