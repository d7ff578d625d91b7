package io.holdfast.lock.engine.election;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.TermEnd;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One term of one leader. It is a hold of the election's lock, which ends by itself when the term has reached its limit, and a
 * record beside the lock, which it repeats from time to time so that it does not expire (rule 61).
 */
final class EngineLeadership implements Leadership {

    /** Long before it expires: it may be missing where a replica has replaced the server, or was deleted. */
    private static final long REPEATED_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final EngineElection election;
    private final ClientFacts facts;
    private final Hold hold;
    private final LockHold view;
    /** Where it is written down who leads. */
    private final LeaderRecord record;

    private final String id;
    /** What is told of this leader now. */
    private volatile Proclamation newest;
    /** The newest that was told, or may have been. */
    private Proclamation latestSaid;

    private final long beganNanos;

    private final CompletableFuture<TermEnd> ended = new CompletableFuture<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** Belong to the steps of the lock's cell, as does whether they are set. */
    private @Nullable Timer untilLimit;

    private @Nullable Timer untilRepetition;

    EngineLeadership(EngineElection election, String id, byte[] value, Hold hold) {
        this.election = election;
        this.facts = election.work.facts;
        this.hold = hold;
        this.view = election.lock.handle(hold);
        this.record = election.work.record(election.keys, hold);
        this.id = id;
        this.newest = Proclamation.of(hold, id, value);
        this.latestSaid = newest;
        this.beganNanos = facts.nanos();
    }

    /** Tells others who leads, for the first time. */
    void proclaim(long dueNanos, Query.Hearer<Boolean> told) {
        record.say(newest, dueNanos, told);
    }

    /** It is proclaimed: its time runs, and the record is kept. */
    void begin() {
        hold.whenLost(loss -> over(TermEnd.LOST));
        hold.cell.run(() -> {
            if (over.get()) {
                return;
            }
            repeatLater();
            if (election.limitNanos != Ticket.NEVER) {
                untilLimit = after(Math.max(0, limitLeftNanos()), this::stepDown);
            }
        });
    }

    private Timer after(long nanos, Runnable step) {
        return facts.runtime().after(nanos, () -> hold.cell.run(step));
    }

    // --- the end ---

    /** No caller has received it, or wants it any more. */
    void giveBack() {
        over(TermEnd.RESIGNED);
        view.releaseAsync();
    }

    /** Each look at a term that has reached its limit comes here; the first gives it up. */
    private void stepDown() {
        if (over(hold.loss() == null ? TermEnd.LIMIT_REACHED : TermEnd.LOST)) {
            view.releaseAsync();
        }
    }

    /**
     * How it ended is told once.
     *
     * @return false if it had ended before
     */
    private boolean over(TermEnd how) {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        hold.cell.run(() -> {
            cancel(untilLimit);
            cancel(untilRepetition);
            record.end();
        });
        facts.callbacks().tellElection(() -> ended.complete(how));
        return true;
    }

    private static void cancel(@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private long limitLeftNanos() {
        return election.limitNanos == Ticket.NEVER
                ? Long.MAX_VALUE
                : election.limitNanos - (facts.nanos() - beganNanos);
    }

    /** The term is over at its limit, however late the timer comes. */
    private boolean hasReachedLimit() {
        if (limitLeftNanos() > 0) {
            return false;
        }
        stepDown();
        return true;
    }

    @Override
    public CompletionStage<TermEnd> ended() {
        return ended.minimalCompletionStage();
    }

    @Override
    public void resign() {
        release();
    }

    @Override
    public RFuture<Void> resignAsync() {
        return releaseAsync();
    }

    @Override
    public void release() {
        endByLeader();
        view.release();
    }

    @Override
    public void close() {
        endByLeader();
        view.close();
    }

    private void endByLeader() {
        if (facts.runtime().blocker().mayWait()) {
            over(hold.loss() == null ? TermEnd.RESIGNED : TermEnd.LOST);
        }
    }

    @Override
    public RFuture<Void> releaseAsync() {
        over(hold.loss() == null ? TermEnd.RESIGNED : TermEnd.LOST);
        return view.releaseAsync();
    }

    /** The server did not know the hold: if it was not given up before, it is lost. */
    <T> void isGone(String when, Pending<T> told) {
        hold.cell.run(() -> {
            boolean wasGivenUp = over.get() || hold.state() == HoldState.RELEASED;
            LockLoss loss = wasGivenUp ? hold.loss() : hold.surelyLost("the server did not know this hold " + when);
            told.fail(loss == null ? hold.cell.notHeld(hold.owner) : Failures.lost(loss));
        });
    }

    // --- what is told of it ---

    @Override
    public String id() {
        return id;
    }

    @Override
    public long term() {
        return fencingToken();
    }

    @Override
    public void setValue(byte[] value) {
        byte[] copy = election.checked(value);
        Parked<Done> result = new Parked<>(facts.runtime().blocker(), "setValue on " + election.named());
        send(copy, result);
        result.await();
    }

    @Override
    public RFuture<Void> setValueAsync(byte[] value) {
        byte[] copy = election.checked(value);
        Promise<Done, Void> result = Promise.ofDone(facts.callbacks());
        send(copy, result);
        return result.future();
    }

    private void send(byte[] value, Pending<Done> result) {
        LockLoss loss = hold.loss();
        if (loss != null) {
            result.fail(Failures.lost(loss));
        } else if (hasReachedLimit() || hold.hasEnded()) {
            result.fail(hold.cell.notHeld(hold.owner));
        } else {
            say(next(value), result);
        }
    }

    private void say(Proclamation said, Pending<Done> result) {
        record.say(said, facts.nanos() + facts.commandNanos(), telling(said, result));
    }

    /** Each value has a version of its own, in the order in which they were set. */
    private synchronized Proclamation next(byte[] value) {
        Proclamation next = newest.with(value);
        newest = next;
        return next;
    }

    private synchronized void wasSaid(Proclamation said) {
        latestSaid = said.version() > latestSaid.version() ? said : latestSaid;
    }

    /** A value that was refused is not told later either: what was told before it is the newest again. */
    private void wasRefused(Proclamation refused) {
        Proclamation again;
        synchronized (this) {
            if (newest != refused || latestSaid == refused) {
                return;
            }
            again = latestSaid.after(refused);
            newest = again;
            latestSaid = again;
        }
        if (!over.get()) {
            say(again, new Unwanted<>());
        }
    }

    private Query.Hearer<Boolean> telling(Proclamation said, Pending<Done> result) {
        return new Query.Hearer<>() {
            @Override
            public void answered(Boolean holds, boolean repeated) {
                if (holds) {
                    wasSaid(said);
                    result.complete(Done.DONE);
                } else {
                    isGone("when its value was set", result);
                }
            }

            @Override
            public void failed(LockException failure) {
                if (failure instanceof LockOutcomeUnknownException) {
                    wasSaid(said);
                } else {
                    wasRefused(said);
                }
                result.fail(failure);
            }
        };
    }

    /** Says the same again: the record stays, and is there again if it was deleted. */
    private void repeat() {
        if (over.get()) {
            return;
        }
        say(newest, new Unwanted<>());
        repeatLater();
    }

    private void repeatLater() {
        untilRepetition = after(REPEATED_AFTER_NANOS, this::repeat);
    }

    // --- as any hold ---

    @Override
    public String name() {
        return view.name();
    }

    @Override
    public String owner() {
        return view.owner();
    }

    @Override
    public long fencingToken() {
        return view.fencingToken();
    }

    @Override
    public HoldState state() {
        return view.state() != HoldState.LOST && hasReachedLimit() ? HoldState.RELEASED : view.state();
    }

    @Override
    public Duration validFor() {
        if (hasReachedLimit()) {
            return Duration.ZERO;
        }
        Duration left = view.validFor();
        Duration limit = Duration.ofNanos(limitLeftNanos());
        return left.compareTo(limit) <= 0 ? left : limit.isNegative() ? Duration.ZERO : limit;
    }

    @Override
    public Leadership onLost(Consumer<? super LockLoss> callback) {
        view.onLost(callback);
        return this;
    }

    @Override
    public CompletionStage<LockLoss> lost() {
        return view.lost();
    }

    @Override
    public void extend(Duration lease) {
        view.extend(withinLimit("lease", lease));
    }

    @Override
    public RFuture<Void> extendAsync(Duration lease) {
        return view.extendAsync(withinLimit("lease", lease));
    }

    @Override
    public void ensure(Duration validity) {
        view.ensure(withinLimit("validity", validity));
    }

    @Override
    public RFuture<Void> ensureAsync(Duration validity) {
        return view.ensureAsync(withinLimit("validity", validity));
    }

    private Duration withinLimit(String what, Duration wanted) {
        Objects.requireNonNull(wanted, what);
        Duration limit = Duration.ofNanos(Math.max(0, limitLeftNanos()));
        if (wanted.compareTo(limit) > 0) {
            throw election.outOfBounds(
                    what, Durations.of(wanted), "at most what is left of the term, " + Durations.of(limit));
        }
        return wanted;
    }

    @Override
    public String toString() {
        return "Leadership{" + hold + ", " + state() + '}';
    }
}
