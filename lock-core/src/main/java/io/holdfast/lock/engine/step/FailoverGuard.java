package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.GuardedScripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.spi.Vouching;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The failover guard of one client: no two owners hold a lock across a failover (rules 86 to 89).
 *
 * <p>A request that grants or renews names the Sentinels' epoch and runs in the term of that epoch only ({@link Pass}); what
 * it is answered goes through {@link #judge} before it is used. Where the server is in another term, this begins the new
 * one, once for all requests that find out.
 */
public final class FailoverGuard {

    private static final long NO_TERM = -1;
    private static final long NOT_TOLD = -2;
    private static final long NO_ID = -3;
    /** The part of a time at the server that is added, since its clock and a client's drift apart. */
    private static final int DRIFT_PART = 100;

    private static final long BETWEEN_BEGINNINGS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Store store;
    private final Vouching vouching;
    private final Duration silence;
    private final long commandNanos;
    private final byte[] term;
    private final int termSlot;
    private final long grantPauseMillis;
    private final long holdPauseMillis;

    /** Whether a request is under way that begins a term, or finds it there. */
    private final AtomicBoolean beginning = new AtomicBoolean();

    /** What became of the latest such request. */
    private volatile Begun latest = new Begun(Vouching.NO_EPOCH, 0, null);

    private volatile Runnable onTerm = () -> {};

    /**
     * How a request that begins a term ended.
     *
     * @param epoch of the term that began because a request had found none; {@link Vouching#NO_EPOCH} for none
     * @param refusal what the server said in place of beginning it; null if it said nothing of the kind
     */
    private record Begun(long epoch, long nanos, @Nullable Fault refusal) {}

    /**
     * The guard of a client whose options want it.
     *
     * @param longestLease of all clients that share locks
     * @throws UnsupportedOperationException if no Sentinels say which server the primary is
     */
    public FailoverGuard(ClientFacts facts, Duration longestLease) {
        this.store = facts.stores().get(0);
        this.silence = facts.options().sentinel().silence();
        this.vouching = store.backend().vouching(silence.toNanos());
        this.commandNanos = facts.commandNanos();
        this.term = (facts.options().lockOptions().prefix() + ":term").getBytes(StandardCharsets.UTF_8);
        this.termSlot = Slots.of(term);
        long leaseMillis = longestLease.toMillis();
        this.holdPauseMillis = silence.toMillis() + silence.toMillis() / DRIFT_PART + 1;
        this.grantPauseMillis =
                leaseMillis + TimeUnit.NANOSECONDS.toMillis(LeaseTerm.marginNanos(leaseMillis)) + 1 + holdPauseMillis;
    }

    /** Begins to listen to the Sentinels; the task is run whenever the server may count again, and is in its term. */
    public void start(Runnable task) {
        onTerm = task;
        vouching.listen(this::look);
    }

    /**
     * Sees to it that the server is in its term, before a request needs that: the pause begins with it. Then {@link #start}'s
     * task is run.
     *
     * @return false if no majority names the server; then the task is run when one does
     */
    public boolean look() {
        long epoch = vouching.epoch();
        if (epoch != Vouching.NO_EPOCH) {
            begin(epoch, true);
        }
        return epoch != Vouching.NO_EPOCH;
    }

    // --- before a request ---

    /** For a request that takes a lock, or hands it over. */
    Pass forGrant() {
        return new Pass(this, vouching.epoch(), grantPauseMillis, false);
    }

    /** For a request of one hold, which has no effect where it does not count yet. */
    Pass forHold() {
        return new Pass(this, vouching.epoch(), holdPauseMillis, false);
    }

    /** For a renewal of many holds, which finds out those that the server does not know, also where it does not count yet. */
    public Pass forRenewals() {
        return new Pass(this, vouching.epoch(), holdPauseMillis, true);
    }

    /** Whether a majority of all Sentinels names the server at present. */
    boolean isVouchedFor() {
        return vouching.epoch() != Vouching.NO_EPOCH;
    }

    /** What a request meets that is not even sent. */
    public Fault notVouched() {
        return notVouched(false);
    }

    byte[] term() {
        return term;
    }

    // --- when the answer is there ---

    /**
     * Says what an answer is good for, at this moment: later it may count no more, and what was handed out until then has its
     * lease.
     *
     * @param epoch the one that the request named
     */
    Judgement judge(Reply reply, long epoch) {
        long left = reply.integer(0);
        if (left == NO_TERM) {
            return Judgement.refused(noTerm(epoch));
        }
        if (left == NOT_TOLD) {
            return Judgement.refused(notTold(reply));
        }
        if (left == NO_ID) {
            return Judgement.refused(
                    fault(
                            Fault.Kind.SERVER_ERROR,
                            false,
                            "INFO replication in a script has no master_replid (expected: a server that tells its replication id)"));
        }
        if (left < 0) {
            throw new UnexpectedReplyException("pause: " + left + " ms (expected: at least 0)");
        }
        boolean ran = reply.size() > 1;
        if (!counts(epoch)) {
            return Judgement.ofNoUse(ran ? reply.get(1) : null, notVouched(ran), 0);
        }
        if (left > 0) {
            long leftNanos = TimeUnit.MILLISECONDS.toNanos(left);
            return Judgement.ofNoUse(ran ? reply.get(1) : null, paused(store.node(), ran, leftNanos), leftNanos);
        }
        return Judgement.counting(reply.get(1));
    }

    /** Has the term begin, unless it just has: then others begin one of another epoch, and neither may be hectic about it. */
    private Fault noTerm(long epoch) {
        Begun before = latest;
        long since = store.backend().runtime().nanos() - before.nanos;
        if (before.epoch != epoch || since >= BETWEEN_BEGINNINGS_NANOS) {
            begin(epoch, false);
        }
        Fault refusal = before.refusal;
        return refusal == null
                ? fault(Fault.Kind.NOT_VOUCHED, false, "the primary is in no term of epoch " + epoch + " yet")
                : fault(refusal.kind(), false, "the term of epoch " + epoch + " could not begin: " + refusal.detail());
    }

    private boolean counts(long epoch) {
        return vouching.untilNanos(epoch) - store.backend().runtime().nanos() > 0;
    }

    private Fault notVouched(boolean maybeApplied) {
        return fault(
                Fault.Kind.NOT_VOUCHED,
                maybeApplied,
                "no majority of all Sentinels has named the primary within " + Durations.of(silence));
    }

    private Fault notTold(Reply reply) {
        return fault(
                Fault.Kind.NOPERM,
                false,
                "INFO replication in a script: " + Printable.message(reply.text(1)) + " (expected: the right +info)");
    }

    private Fault fault(Fault.Kind kind, boolean maybeApplied, String detail) {
        return fault(kind, maybeApplied, store.node(), detail);
    }

    private static Fault fault(Fault.Kind kind, boolean maybeApplied, String node, String detail) {
        return new Fault(kind, maybeApplied, node, "failoverGuard: " + detail);
    }

    /** That a server is new, and for how much longer what is wanted does not count there. */
    public static Fault paused(String node, boolean maybeApplied, long leftNanos) {
        Duration left = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(leftNanos));
        return fault(
                Fault.Kind.PAUSED,
                maybeApplied,
                node,
                "the primary is new; " + Durations.of(left) + " are left of its pause");
    }

    // --- terms ---

    /**
     * Begins the server's term, if a majority still names the server in this epoch and no request for that is under way.
     *
     * @param isLook whether the server may be in it already
     */
    private void begin(long epoch, boolean isLook) {
        if (vouching.epoch() == epoch && beginning.compareAndSet(false, true)) {
            store.backend().send(new Beginning(epoch, isLook));
        }
    }

    private final class Beginning extends ScriptCall {

        private final long epoch;
        private final boolean isLook;

        Beginning(long epoch, boolean isLook) {
            super(
                    GuardedScripts.TERM,
                    termSlot,
                    store.backend().runtime().nanos(),
                    store.backend().runtime().nanos() + commandNanos);
            this.epoch = epoch;
            this.isLook = isLook;
        }

        @Override
        public void encode(Args out) {
            out.key(term).arg(epoch);
        }

        /** A request that finds no term when there is an answer brings the next one. */
        @Override
        public void onOverdue() {}

        @Override
        public void onReply(Reply reply) {
            ended(reply.integer(0) > 0, null);
        }

        /** What the transport says may be over when a request is asked why there is no term. */
        @Override
        public void onFault(Fault fault) {
            boolean isTransports =
                    fault.maybeApplied() || fault.kind() == Fault.Kind.UNREACHABLE || fault.kind() == Fault.Kind.CLOSED;
            ended(false, isTransports ? null : fault);
        }

        /** Requests that need the term find out for themselves why it has not begun, and not again and again. */
        private void ended(boolean begun, @Nullable Fault refusal) {
            long begunEpoch = begun && !isLook ? epoch : Vouching.NO_EPOCH;
            latest = new Begun(begunEpoch, store.backend().runtime().nanos(), refusal);
            beginning.set(false);
            long now = vouching.epoch();
            if (now != epoch && now != Vouching.NO_EPOCH) {
                begin(now, true);
            } else if (begun || isLook) {
                onTerm.run();
            }
        }
    }
}
