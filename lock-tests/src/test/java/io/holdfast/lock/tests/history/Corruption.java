package io.holdfast.lock.tests.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One change to a possible history that makes it impossible. */
enum Corruption {
    /** A grant to somebody else, from beginning to end within a hold's validity. */
    SECOND_HOLDER {
        @Override
        Optional<List<Operation>> of(List<Operation> history, int at) {
            return held(history, at, 2)
                    .map(grant -> and(
                            history,
                            operation(grant, "stranger", Call.ACQUIRE, grant.completedNanos(), grant.token() + 1, 1)));
        }
    },
    /** A release by somebody who never took the lock. */
    RELEASE_BY_A_STRANGER {
        @Override
        Optional<List<Operation>> of(List<Operation> history, int at) {
            return held(history, at, 1)
                    .map(grant ->
                            and(history, operation(grant, "stranger", Call.RELEASE, grant.completedNanos(), 0, 0)));
        }
    },
    /** The token of an earlier hold. */
    STALE_TOKEN {
        @Override
        Optional<List<Operation>> of(List<Operation> history, int at) {
            return granted(history, at, 1)
                    .filter(grant -> grant.count() == 1)
                    .filter(grant -> history.stream()
                            .anyMatch(other -> isGrant(other)
                                    && other.token() == grant.token() - 1
                                    && other.completedNanos() < grant.invokedNanos()))
                    .findFirst()
                    .map(grant -> instead(history, grant, grant.token() - 1, grant.count()));
        }
    },
    /** Another token for the same hold, of an owner for whom no acquire without an answer can have begun a new one. */
    CHANGED_TOKEN {
        @Override
        Optional<List<Operation>> of(List<Operation> history, int at) {
            return granted(history, at, 2)
                    .filter(grant -> allAnswered(history, grant))
                    .filter(grant -> history.stream()
                            .anyMatch(first -> isGrant(first)
                                    && first.token() == grant.token()
                                    && first.completedNanos() < grant.invokedNanos()))
                    .findFirst()
                    .map(grant -> instead(history, grant, grant.token() + 1_000, grant.count()));
        }
    },
    /** Levels too many, of an owner whose calls all have answers. */
    WRONG_COUNT {
        @Override
        Optional<List<Operation>> of(List<Operation> history, int at) {
            return granted(history, at, 1)
                    .filter(grant -> allAnswered(history, grant))
                    .findFirst()
                    .map(grant -> instead(history, grant, grant.token(), grant.count() + 7));
        }
    };

    /** The history with this change at the first place from there on where it can be made; empty if there is none. */
    abstract Optional<List<Operation>> of(List<Operation> history, int at);

    /** A grant of which it is sure that the lock was held for a moment after its answer. */
    private static Optional<Operation> held(List<Operation> history, int at, long nanos) {
        return history.stream()
                .skip(at)
                .filter(Corruption::isGrant)
                .filter(grant -> grant.validUntilNanos() > grant.completedNanos() + nanos)
                .filter(grant -> history.stream()
                        .noneMatch(other -> other.call() == Call.RELEASE
                                && other.owner().equals(grant.owner())
                                && other.invokedNanos() <= grant.completedNanos() + nanos
                                && (other.completedNanos() >= grant.invokedNanos() || !other.isDecided())))
                .findFirst();
    }

    private static Stream<Operation> granted(List<Operation> history, int at, int leastCount) {
        return history.stream().skip(at).filter(grant -> isGrant(grant) && grant.count() >= leastCount);
    }

    /** A call without an answer may have taken effect at any time since, an acquire even more than once. */
    private static boolean allAnswered(List<Operation> history, Operation grant) {
        return history.stream()
                .filter(other -> other.owner().equals(grant.owner()))
                .filter(other -> other.invokedNanos() <= grant.completedNanos())
                .allMatch(Operation::isDecided);
    }

    private static boolean isGrant(Operation operation) {
        return operation.call() == Call.ACQUIRE && operation.outcome() == Outcome.OK;
    }

    private static List<Operation> and(List<Operation> history, Operation more) {
        List<Operation> changed = new ArrayList<>(history);
        changed.add(more);
        return changed;
    }

    private static Operation operation(Operation within, String owner, Call call, long nanos, long token, int count) {
        return new Operation(
                9_999, within.lock(), owner, call, Outcome.OK, nanos + 1, nanos + 1, token, count, Operation.FOREVER);
    }

    private static List<Operation> instead(List<Operation> history, Operation grant, long token, int count) {
        List<Operation> changed = new ArrayList<>(history);
        changed.set(
                history.indexOf(grant),
                new Operation(
                        grant.number(),
                        grant.lock(),
                        grant.owner(),
                        grant.call(),
                        grant.outcome(),
                        grant.invokedNanos(),
                        grant.completedNanos(),
                        token,
                        count,
                        grant.validUntilNanos()));
        return changed;
    }
}
