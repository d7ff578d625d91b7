package io.holdfast.lock.tests.simulation;

import static io.holdfast.lock.tests.history.Call.ACQUIRE;
import static io.holdfast.lock.tests.history.Call.EXTEND;
import static io.holdfast.lock.tests.history.Call.RELEASE;

import io.holdfast.lock.tests.history.History;
import io.holdfast.lock.tests.history.Judgement;
import io.holdfast.lock.tests.history.Linearizability;
import io.holdfast.lock.tests.history.Model;
import io.holdfast.lock.tests.history.Operation;
import io.holdfast.lock.tests.history.Outcome;
import io.holdfast.lock.tests.history.Violation;
import io.holdfast.lock.tests.simulation.Chronicle.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * LIN: the calls of a run could have happened one after the other, to a lock whose holds end by themselves when their
 * validity is over, and never before.
 *
 * <p>What excuses two owners at once ends the protection of the holds that it touches, from that moment on: such a hold
 * may end by itself at any time, and that it was renewed or given back says nothing. Nothing else is forgiven.
 */
final class OrderChecker {

    /** Most histories need a few hundred steps; one that needs so many is given up, and counted. */
    private static final long MOST_STEPS = 200_000;

    private final Complaints complaints;
    private final Chronicle chronicle;
    private final Ledger ledger;
    private int givenUp;

    OrderChecker(Complaints complaints, Chronicle chronicle, Ledger ledger) {
        this.complaints = complaints;
        this.chronicle = chronicle;
        this.ledger = ledger;
    }

    /** @param fenced whether tokens must increase */
    void check(List<String> names, boolean fenced) {
        Model model = fenced ? Model.REENTRANT_FENCED_MUTEX : Model.REENTRANT_MUTEX;
        for (int lock = 0; lock < names.size(); lock++) {
            Judgement judgement = Linearizability.judge(model, history(lock, names.get(lock)), MOST_STEPS);
            givenUp += judgement.givenUp().size();
            for (Violation violation : judgement.violations()) {
                complaints.broken("LIN", violation.message());
            }
        }
    }

    /** How many histories were too tangled to be judged. */
    int givenUp() {
        return givenUp;
    }

    History history(int lock, String name) {
        List<Entry> entries = chronicle.entries(lock);
        List<Operation> operations = new ArrayList<>(entries.size());
        boolean anyRefused = false;
        for (Entry entry : entries) {
            operations.add(operation(operations.size(), name, entry, entries));
            anyRefused |= entry.outcome == Outcome.REFUSED;
            if (entry.asked == ACQUIRE && entry.outcome == Outcome.UNKNOWN) {
                // What nobody wants any more is undone.
                operations.add(unknown(operations.size(), name, entry.owner, RELEASE, entry.askedNanos));
            }
        }
        if (anyRefused) {
            addStrays(operations, lock, name);
        }
        return History.of(operations);
    }

    private Operation operation(int number, String name, Entry entry, List<Entry> entries) {
        long doubtedNanos = entry.claim == null ? Operation.FOREVER : chronicle.unprotectedNanos(entry.claim);
        boolean doubted = entry.answeredNanos >= doubtedNanos;
        Outcome outcome = doubted && entry.asked != ACQUIRE ? Outcome.UNKNOWN : entry.outcome;
        boolean noHold = outcome == Outcome.REFUSED || (outcome == Outcome.LOST && entry.asked != ACQUIRE);
        if (noHold && (isInItsOwnWay(entry, entries) || owesAnother(entry, entries))) {
            outcome = Outcome.FAIL;
        }
        return new Operation(
                number,
                name,
                entry.owner,
                entry.asked,
                outcome,
                entry.askedNanos,
                outcome == Outcome.UNKNOWN ? entry.askedNanos : entry.answeredNanos,
                // A replica may bring back a grant with the token that it had.
                doubted ? 0 : entry.token,
                isAlone(entry, entries) ? entry.count : 0,
                entry.asked == RELEASE ? Operation.FOREVER : Math.min(entry.validUntilNanos, doubtedNanos));
    }

    /**
     * Whether its owner was giving the lock back at the time, or had tried to and does not know what became of it: a hold
     * ends in its client first. Until the server knows as well, its owner is told that he does not hold it, and meets it;
     * also with a request that was on its way when he began to give it back.
     */
    private static boolean isInItsOwnWay(Entry entry, List<Entry> entries) {
        boolean begunBefore = true;
        for (Entry other : entries) {
            if (other == entry) {
                begunBefore = false;
                continue;
            }
            boolean begun =
                    begunBefore || (entry.outcome == Outcome.REFUSED && other.askedNanos <= entry.answeredNanos);
            boolean open = other.outcome == Outcome.UNKNOWN || other.answeredNanos >= entry.askedNanos;
            if (other.asked == RELEASE && begun && open && other.owner.equals(entry.owner)) {
                return true;
            }
        }
        return false;
    }

    /** Whether its owner has an earlier hold that a fault has ended: each release that it owes may tell of that first. */
    private boolean owesAnother(Entry entry, List<Entry> entries) {
        for (Entry other : entries) {
            Claim earlier = other.claim;
            if (entry.asked == RELEASE
                    && other.asked == ACQUIRE
                    && earlier != null
                    && earlier != entry.claim
                    && other.owner.equals(entry.owner)
                    && other.answeredNanos <= entry.askedNanos
                    && chronicle.unprotectedNanos(earlier) < entry.answeredNanos) {
                return true;
            }
        }
        return false;
    }

    /** Whether an owner was told his count while nothing else was changing it. */
    private static boolean isAlone(Entry entry, List<Entry> entries) {
        if (entry.count == 0) {
            return true;
        }
        for (Entry other : entries) {
            if (other != entry && other.asked != EXTEND && other.overlaps(entry) && other.owner.equals(entry.owner)) {
                return false;
            }
        }
        return true;
    }

    /**
     * What a server has granted and no owner was told of, such as a request that arrived when its owner had gone, or a
     * hold that a replica brought back: it explains refusals, and ends whenever it likes.
     */
    private void addStrays(List<Operation> operations, int lock, String name) {
        for (Acquisition each : ledger.all(lock)) {
            if (!chronicle.wasTold(each)) {
                operations.add(unknown(operations.size(), name, each.owner(), ACQUIRE, each.sinceNanos));
            }
        }
    }

    private static Operation unknown(
            int number, String name, String owner, io.holdfast.lock.tests.history.Call asked, long nanos) {
        return new Operation(number, name, owner, asked, Outcome.UNKNOWN, nanos, nanos, 0, 0, Operation.FOREVER);
    }
}
