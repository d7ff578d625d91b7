package io.holdfast.lock.tests.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Calls with their answers and times, in no particular order.
 *
 * <pre>{@code
 * History.Builder history = History.builder();
 * int call = history.invoke("stock:42", "client-1", Call.ACQUIRE, nanos);
 * history.granted(call, token, 1, validUntilNanos, nanos);          // or refused, lost, fail, unknown
 * Linearizability.require(Model.REENTRANT_FENCED_MUTEX, history.build());
 * }</pre>
 */
public final class History {

    private final List<Operation> operations;

    private History(List<Operation> operations) {
        this.operations = List.copyOf(operations);
    }

    public static Builder builder() {
        return new Builder();
    }

    public static History of(List<Operation> operations) {
        return new History(operations);
    }

    public List<Operation> operations() {
        return operations;
    }

    /** The calls of each lock by itself. */
    Map<String, List<Operation>> byLock() {
        return operations.stream()
                .collect(Collectors.groupingBy(Operation::lock, LinkedHashMap::new, Collectors.toList()));
    }

    /** Collects calls and answers as they come; from any thread. */
    public static final class Builder {

        private final List<Operation> operations = new ArrayList<>();

        private Builder() {}

        /** Something is asked for. Until an answer is told, its outcome is unknown. */
        public synchronized int invoke(String lock, String owner, Call call, long nanos) {
            return invoke(lock, owner, call, 0, nanos);
        }

        /** As {@link #invoke(String, String, Call, long)}, for the hold of this token. */
        public synchronized int invoke(String lock, String owner, Call call, long token, long nanos) {
            int number = operations.size();
            operations.add(new Operation(
                    number, lock, owner, call, Outcome.UNKNOWN, nanos, nanos, token, 0, Operation.FOREVER));
            return number;
        }

        /** It was done: a release, or a grant of a lock without tokens and leases. */
        public void ok(int number, long nanos) {
            answer(number, Outcome.OK, 0, 0, Operation.FOREVER, nanos);
        }

        /** The lock was taken. */
        public void granted(int number, long token, int count, long validUntilNanos, long nanos) {
            answer(number, Outcome.OK, token, count, validUntilNanos, nanos);
        }

        /** The hold lasts longer. */
        public void extended(int number, long validUntilNanos, long nanos) {
            answer(number, Outcome.OK, 0, 0, validUntilNanos, nanos);
        }

        public void refused(int number, long nanos) {
            answer(number, Outcome.REFUSED, 0, 0, Operation.FOREVER, nanos);
        }

        public void lost(int number, long nanos) {
            answer(number, Outcome.LOST, 0, 0, Operation.FOREVER, nanos);
        }

        public void fail(int number, long nanos) {
            answer(number, Outcome.FAIL, 0, 0, Operation.FOREVER, nanos);
        }

        public void unknown(int number, long nanos) {
            answer(number, Outcome.UNKNOWN, 0, 0, Operation.FOREVER, nanos);
        }

        /** Some time between these two the store may have forgotten who holds the lock. */
        public synchronized void forget(String lock, long fromNanos, long toNanos) {
            ok(invoke(lock, "(store)", Call.FORGET, fromNanos), toNanos);
        }

        private synchronized void answer(
                int number, Outcome outcome, long token, int count, long validUntilNanos, long nanos) {
            Operation asked = operations.get(number);
            if (nanos < asked.invokedNanos()) {
                throw new IllegalArgumentException(
                        "answered at " + nanos + " (expected: >= " + asked.invokedNanos() + ", when it was asked)");
            }
            operations.set(
                    number,
                    new Operation(
                            number,
                            asked.lock(),
                            asked.owner(),
                            asked.call(),
                            outcome,
                            asked.invokedNanos(),
                            nanos,
                            token == 0 ? asked.token() : token,
                            count,
                            validUntilNanos));
        }

        public synchronized History build() {
            return new History(operations);
        }
    }
}
