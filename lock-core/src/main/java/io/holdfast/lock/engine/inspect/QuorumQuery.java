package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * Asks all nodes of a quorum the same question. It ends when all have answered, or when a majority has and the others
 * have had their time; without a majority it fails.
 */
public final class QuorumQuery<S> {

    private final ClientFacts facts;
    private final List<Store> stores;
    private final int needed;
    private final long lateNanos;
    private final Function<Fault, LockException> failure;
    private final List<Heard> asked = new ArrayList<>();
    private final SerialGate gate;
    private final Function<Store, ? extends Question<S>> question;
    private boolean late;

    /**
     * @param stores those that are asked: all, or those that have not been silent before
     * @param needed how many answers there have to be
     * @param lateNanos how long those have that are not needed
     * @param failure what it ends with where there is no majority
     */
    public QuorumQuery(
            ClientFacts facts,
            List<Store> stores,
            int needed,
            long lateNanos,
            Function<Fault, LockException> failure,
            Function<Store, ? extends Question<S>> question) {
        this.facts = facts;
        this.stores = stores;
        this.needed = needed;
        this.lateNanos = lateNanos;
        this.failure = failure;
        this.question = question;
        this.gate = new SerialGate(facts.runtime().steps());
    }

    /** @param view what follows from the answers, by their stores */
    <T> void ask(Function<Map<Store, S>, T> view, Pending<T> result) {
        decide(seen -> Optional.of(view.apply(seen)), result);
    }

    /**
     * Asks what a majority may not decide, though it answers.
     *
     * @param view what follows from the answers, by their stores; empty if they do not decide it, and then this fails
     */
    public <T> void decide(Function<Map<Store, S>, Optional<T>> view, Pending<T> result) {
        for (Store store : stores) {
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

    private <T> void count(Function<Map<Store, S>, Optional<T>> view, Pending<T> result) {
        if (result.isSettled()) {
            return;
        }
        Map<Store, S> seen = new LinkedHashMap<>();
        int open = 0;
        for (Heard heard : asked) {
            if (!heard.isSettled()) {
                open++;
            } else if (heard.failure() == null) {
                seen.put(heard.store, heard.value());
            }
        }
        if (open > 0 && !(late && seen.size() >= needed)) {
            return;
        }
        Optional<T> agreed = seen.size() >= needed ? view.apply(seen) : Optional.empty();
        if (agreed.isPresent()) {
            result.complete(agreed.get());
        } else {
            result.fail(failure.apply(new Fault(
                    facts.isClosed() ? Fault.Kind.CLOSED : Fault.Kind.NO_MAJORITY, false, facts.node(), describe())));
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
    private final class Heard extends Pending<S> {

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
