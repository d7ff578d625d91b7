package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * Asks all nodes of a quorum the same question. It ends when all have answered, or when a majority has and the others
 * have had their time; without a majority it fails.
 */
final class QuorumQuery {

    private final ClientFacts facts;
    private final long lateNanos;
    private final String lock;
    private final List<Heard> asked = new ArrayList<>();
    private final SerialGate gate;
    private final Function<Store, Query<LockSnapshot>> question;
    private boolean late;

    /** @param lateNanos how long a minority has for its answers */
    QuorumQuery(ClientFacts facts, long lateNanos, String lock, Function<Store, Query<LockSnapshot>> question) {
        this.facts = facts;
        this.lateNanos = lateNanos;
        this.lock = lock;
        this.question = question;
        this.gate = new SerialGate(facts.runtime().steps());
    }

    <T> void ask(Function<LockSnapshot, T> view, Pending<T> result) {
        for (Store store : facts.stores()) {
            asked.add(new Heard(store, () -> gate.run(() -> count(view, result))));
        }
        for (Heard heard : asked) {
            question.apply(heard.store).ask(heard);
        }
        facts.runtime()
                .after(
                        lateNanos,
                        () -> gate.run(() -> {
                            late = true;
                            count(view, result);
                        }));
    }

    private <T> void count(Function<LockSnapshot, T> view, Pending<T> result) {
        List<LockSnapshot> seen = new ArrayList<>();
        int open = 0;
        for (Heard heard : asked) {
            if (!heard.isSettled()) {
                open++;
            } else if (heard.failure() == null) {
                seen.add(heard.value());
            }
        }
        int majority = HoldLeases.majority(asked.size());
        if (open > 0 && !(late && seen.size() >= majority)) {
            return;
        }
        if (seen.size() >= majority) {
            result.complete(view.apply(LockSnapshot.agreed(seen, majority)));
        } else {
            result.fail(
                    Failures.ofQuestion(lock, "", new Fault(Fault.Kind.NO_MAJORITY, false, facts.node(), describe())));
        }
    }

    private String describe() {
        StringJoiner text = new StringJoiner("; ");
        for (Heard heard : asked) {
            Throwable failure = heard.failure();
            String said =
                    failure instanceof LockException known ? known.reason().toString() : String.valueOf(failure);
            text.add(heard.store + ": " + (failure == null ? "answered" : said));
        }
        return text.toString();
    }

    /** One node's answer. */
    private static final class Heard extends Pending<LockSnapshot> {

        private final Store store;
        private final Runnable told;

        Heard(Store store, Runnable told) {
            this.store = store;
            this.told = told;
        }

        @Override
        public void onSettled() {
            told.run();
        }
    }
}
