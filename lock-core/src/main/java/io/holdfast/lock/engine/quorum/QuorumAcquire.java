package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Proposal;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.engine.step.Asked;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.engine.step.Tokens;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One round over all nodes of a quorum, under a field of its own (rules 32 to 35).
 *
 * <p>All nodes are asked at once, and each has the same short time. As soon as a majority has granted, or none can any
 * more, the round is decided. If it is lost, what any node granted or may yet grant is undone at once, behind the
 * request. A grant that comes after the round was won joins the hold.
 *
 * <p><b>The token.</b> The client proposes one that all nodes can take. Where they answer with different ones, the
 * highest is given to a majority before the lock is handed out: so any two majorities have a node in common that has
 * seen the earlier token, and gives a higher one.
 *
 * <p>Everything here runs within the cell's gate.
 */
final class QuorumAcquire implements Asked {

    private final LockCell cell;
    private final Quorum quorum;
    private final LockKind kind;
    private final byte[] field;
    private final byte @Nullable [] heldBeside;
    private final long leaseMillis;
    private final Asker asker;
    private final StepListener step;
    private final long timeoutNanos;
    private long startNanos;

    private final Votes votes;
    private final QuorumLeases leases;
    private boolean decided;
    private boolean won;

    QuorumAcquire(Quorum quorum, LockCell cell, Asker asker, byte[] field, StepListener step) {
        this.cell = cell;
        this.quorum = quorum;
        this.kind = asker.kind();
        this.field = field;
        this.heldBeside = asker.heldBeside();
        this.leaseMillis = asker.leaseMillis();
        this.asker = asker;
        this.step = step;
        this.timeoutNanos = quorum.nodeTimeoutNanos(leaseMillis);
        this.votes = new Votes(quorum.facts.stores());
        this.leases = new QuorumLeases(quorum, votes.seats());
    }

    void start() {
        RestartGuard guard = quorum.guard;
        if (guard.knowsEnough()) {
            ask();
        } else {
            guard.whenKnown(timeoutNanos, () -> cell.run(this::askUnlessGivenUp));
        }
    }

    /** A round that was given up while it waited has been undone already: what a node granted now would stay there. */
    private void askUnlessGivenUp() {
        if (step.isWanted()) {
            ask();
        } else {
            for (Vote vote : votes.all()) {
                vote.fail("given up before it was asked");
            }
            lose(votes.failure(cell.node()));
        }
    }

    private void ask() {
        startNanos = cell.nanos();
        Proposal proposal = new Proposal(
                field,
                heldBeside,
                leaseMillis,
                quorum.options.fencing() ? quorum.clocks.proposal(startNanos) : 0,
                TimeUnit.MILLISECONDS.toMicros(quorum.options.clockMargin().toMillis()),
                asker.waitsLong() ? quorum.clocks.micros(asker.sinceNanos()) : Proposal.LEAVES_NO_WORD,
                asker.distance());
        boolean enoughAnswer = quorum.answering() >= quorum.majority();
        for (Vote vote : votes.all()) {
            String leftOut = quorum.guard.reasonToLeaveOut(vote.store);
            if (leftOut != null) {
                vote.leaveOut(leftOut, quorum.guard.quarantineNanos(vote.store));
            } else if (enoughAnswer && quorum.owesAnswers(vote.store)) {
                // Nothing piles up at a node that hangs, and it slows down no other call.
                vote.fail("it has not answered earlier requests yet");
            } else {
                send(new Ask(vote, proposal, vote.at(quorum).spoken(kind), null));
            }
        }
        cell.run(this::decide);
    }

    private void send(Ask ask) {
        ask.vote.ask = ask;
        ask.store.backend().send(ask);
    }

    @Override
    public boolean takeBack() {
        boolean everywhere = true;
        for (Vote vote : votes.all()) {
            everywhere &= vote.takeBack();
        }
        return everywhere;
    }

    // --- the nodes' answers ---

    private void onGranted(Vote vote, ServerRun run, long sentNanos, long token) {
        if (vote.answer != Vote.Answer.NONE) {
            return;
        }
        String leftOut = quorum.guard.reasonToLeaveOut(vote.store, run);
        if (leftOut != null) {
            // It may have granted the lock to another owner and forgotten it.
            vote.leaveOut(leftOut, quorum.guard.quarantineNanos(vote.store));
            undo(vote);
            decide();
            return;
        }
        vote.answer = Vote.Answer.GRANTED;
        vote.said = "granted";
        vote.token = token;
        vote.lease.grant(sentNanos, leaseMillis);
        // By the clock: a thread that stood still reads the answer before it looks at its timers.
        vote.overdue |= cell.nanos() - sentNanos >= timeoutNanos;
        vote.seat.confirmed(run, sentNanos);
        if (!decided) {
            decide();
        } else if (vote.lease.hasHold()) {
            joinOrUndo(vote);
        } else {
            // One step later, for the step that makes the hold of a round that was won may still be waiting.
            cell.run(() -> joinOrUndo(vote));
        }
    }

    /**
     * A grant that came after the decision belongs to the hold; without one it is undone. If it came after its time as
     * well, it counts as a join does (rule 73).
     */
    private void joinOrUndo(Vote vote) {
        if (won && vote.lease.hasHold() && vote.lease.hold().isAlive()) {
            quorum.watchdog().joined(vote.lease);
            leases.cameLate(vote.seat, vote.overdue);
            long token = vote.lease.hold().token;
            if (vote.token != token && quorum.options.fencing()) {
                vote.adopting = true;
                vote.store.backend().send(new Adopt(vote, token));
            }
        } else if (!vote.lease.isBeingReleased()) {
            // A request that met NOSCRIPT was written again, perhaps behind the undo that ended it.
            quorum.undoer().undo(cell, kind, vote.store, field, leaseMillis);
        }
    }

    private void onRefused(Vote vote, long timeToLiveMillis, String holder) {
        if (vote.answer == Vote.Answer.NONE) {
            vote.answer = Vote.Answer.REFUSED;
            vote.timeToLiveMillis = timeToLiveMillis;
            vote.holder = holder;
            vote.said = "refused for " + timeToLiveMillis + " ms, held by " + holder;
            vote.lease.refuse(vote.said);
            if (won) {
                step.keepsWord();
            } else {
                decide();
            }
        }
    }

    private void onFault(Vote vote, Fault fault) {
        if (vote.answer != Vote.Answer.NONE) {
            return;
        }
        vote.fault = fault;
        if (fault.maybeApplied()) {
            vote.answer = Vote.Answer.FAILED;
            vote.said = fault.kind() + ": " + fault.detail();
            if (decided) {
                undo(vote);
            }
        } else {
            vote.fail(fault.kind() + ": " + fault.detail());
        }
        decide();
    }

    private void onOverdue(Vote vote) {
        if (vote.answer == Vote.Answer.NONE) {
            vote.overdue = true;
            vote.said = "no answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms";
            decide();
        }
    }

    // --- the decision ---

    private void decide() {
        if (decided) {
            return;
        }
        int granted = 0;
        int refused = 0;
        int awaited = 0;
        for (Vote vote : votes.all()) {
            granted += vote.answer == Vote.Answer.GRANTED ? 1 : 0;
            refused += vote.answer == Vote.Answer.REFUSED ? 1 : 0;
            awaited += vote.isAwaited() ? 1 : 0;
        }
        if (granted >= quorum.majority()) {
            agreeOnToken(awaited);
        } else if (refused > votes.all().size() - quorum.majority()) {
            lose(votes.refusal());
        } else if (awaited == 0) {
            // Where a majority can be had, it is others who stand in the way, not the nodes that are missing.
            boolean contended = refused > 0 && granted + refused >= quorum.majority();
            lose(contended ? votes.refusal() : votes.failure(cell.node()));
        }
    }

    /** A majority has granted; the lock is handed out once a majority has the highest token. */
    private void agreeOnToken(int awaited) {
        long highest = 0;
        for (Vote vote : votes.all()) {
            highest = vote.answer == Vote.Answer.GRANTED ? Math.max(highest, vote.token) : highest;
        }
        int agreed = 0;
        boolean adopting = false;
        for (Vote vote : votes.all()) {
            agreed += vote.answer == Vote.Answer.GRANTED && vote.token == highest ? 1 : 0;
            adopting |= vote.adopting;
        }
        if (agreed >= quorum.majority() || !quorum.options.fencing()) {
            win(highest);
            return;
        }
        boolean asked = false;
        for (Vote vote : votes.all()) {
            if (vote.answer == Vote.Answer.GRANTED && vote.token < highest && !vote.adopting) {
                vote.adopting = true;
                vote.store.backend().send(new Adopt(vote, highest));
                asked = true;
            }
        }
        if (!asked && !adopting && awaited == 0) {
            lose(votes.failure(cell.node()));
        }
    }

    private void onAdopted(Vote vote, ServerRun run, long token, boolean known) {
        vote.adopting = false;
        if (known) {
            vote.token = Math.max(vote.token, token);
        } else if (decided && vote.lease.hasHold()) {
            vote.lease.hold().forgottenBy(vote.lease, run, "when it was told the token");
        } else {
            vote.answer = Vote.Answer.FAILED;
            vote.said = "it no longer knew the request when it was told the token";
            vote.seat.forgotten(run, vote.lease.isValid(cell.nanos()));
            vote.lease.lose(vote.said);
        }
        decide();
    }

    private void onNotAdopted(Vote vote, String why) {
        if (vote.adopting) {
            vote.adopting = false;
            vote.answer = Vote.Answer.FAILED;
            vote.said = "granted, but could not be told the token: " + why;
            decide();
        }
    }

    private void win(long token) {
        decided = true;
        won = true;
        quorum.roundTook(cell.nanos() - startNanos);
        for (Vote vote : votes.all()) {
            if (vote.answer == Vote.Answer.FAILED && !vote.lease.isGranted() && vote.mayHaveGranted()) {
                undo(vote);
            }
        }
        step.ended(new Outcome.Granted(token, leases));
        if (votes.all().stream().anyMatch(vote -> vote.answer == Vote.Answer.REFUSED)) {
            step.keepsWord();
        }
    }

    private void lose(Outcome outcome) {
        decided = true;
        LockKind words = asker.waitsLong() && step.isWanted() ? kind.givingWay(asker.distance()) : kind;
        for (Vote vote : votes.all()) {
            if (!vote.takeBack()) {
                undo(vote, words);
            }
        }
        step.ended(outcome);
    }

    /** Removes what a node may have of the field: if the round is won, before the node may join the hold. */
    private void undo(Vote vote) {
        undo(vote, kind);
    }

    private void undo(Vote vote, LockKind words) {
        leases.undo(vote.seat, cell, words, field, leaseMillis);
    }

    // --- the requests ---

    private final class Ask extends NodeCall {

        private final Vote vote;
        private final Proposal proposal;
        private final LockKind words;
        private final @Nullable Fault refusal;

        /**
         * @param words in which the node is spoken to
         * @param refusal what the node said to other words; null if there were none
         */
        Ask(Vote vote, Proposal proposal, LockKind words, @Nullable Fault refusal) {
            super(words.script(Verb.PROPOSE), quorum, cell, vote.store, timeoutNanos);
            this.vote = vote;
            this.proposal = proposal;
            this.words = words;
            this.refusal = refusal;
        }

        @Override
        public void encode(Args out) {
            words.writePropose(keys, quorum.facts.fields(), proposal, out);
        }

        @Override
        void late() {
            cell.run(() -> QuorumAcquire.this.onOverdue(vote));
        }

        @Override
        public void onReply(Reply reply) {
            ServerRun answering = run;
            boolean granted = reply.integer(0) == 1;
            long tokenOrMillis = granted ? Tokens.of(reply) : reply.integer(1);
            long serverMicros = reply.integer(2);
            String holder = granted ? "" : String.valueOf(reply.text(3));
            paid();
            if (refusal != null) {
                vote.at(quorum).isWithoutTurns(refusal);
            }
            quorum.clocks.heard(vote.store, serverMicros, cell.nanos());
            if (granted) {
                cell.run(() -> onGranted(vote, answering, sentNanos, tokenOrMillis));
            } else {
                cell.run(() -> onRefused(vote, tokenOrMillis, holder));
            }
        }

        @Override
        void failed(Fault fault) {
            if (StoreSteps.mayDoWithoutTurns(words, fault)) {
                cell.run(() -> askWithoutTurns(fault));
            } else {
                cell.run(() -> QuorumAcquire.this.onFault(vote, fault));
            }
        }

        private void askWithoutTurns(Fault fault) {
            if (decided) {
                vote.at(quorum).isWithoutTurns(fault);
                QuorumAcquire.this.onFault(vote, fault);
            } else {
                send(new Ask(vote, proposal, words.withoutTurns(), fault));
            }
        }
    }

    private final class Adopt extends ScriptCall {

        private final Vote vote;
        private final LockKeys keys;
        private final long token;

        Adopt(Vote vote, long token) {
            this(vote, token, cell.keys.at(vote.store), cell.nanos());
        }

        private Adopt(Vote vote, long token, LockKeys keys, long sentNanos) {
            super(kind.script(Verb.ADOPT), keys.slot, sentNanos, sentNanos + timeoutNanos);
            this.vote = vote;
            this.keys = keys;
            this.token = token;
            vote.lease.asks();
        }

        @Override
        public void encode(Args out) {
            kind.writeAdopt(keys, quorum.facts.fields(), field, token, out);
        }

        @Override
        public void onOverdue() {
            cell.run(() ->
                    onNotAdopted(vote, "no answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms"));
        }

        @Override
        public void onReply(Reply reply) {
            boolean known = reply.integer() == 1;
            ServerRun answering = run;
            vote.lease.isAnswered();
            cell.run(() -> onAdopted(vote, answering, token, known));
        }

        @Override
        public void onFault(Fault fault) {
            if (!fault.maybeApplied()) {
                vote.lease.isAnswered();
            }
            cell.run(() -> onNotAdopted(vote, fault.kind() + ": " + fault.detail()));
        }
    }
}
