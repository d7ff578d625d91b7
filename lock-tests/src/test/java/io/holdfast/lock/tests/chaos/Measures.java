package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.evidence.Turns;
import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a journal says in figures, whether a fault excuses it or not. */
final class Measures {

    private final List<Seen> entries;
    private final List<Hold> holds;

    final Map<Outcome, Long> acquires = new EnumMap<>(Outcome.class);
    final Map<String, Long> faults = new LinkedHashMap<>();
    long calls;
    /** Grants whose tokens are not greater than one of a hold that had begun before they were asked for. */
    long tokensBack;
    /** Pairs of holds of different owners that were on at the same time, by their owners' accounts. */
    long twoOwners;
    /** For how long the earlier one went on after the later one's grant. */
    long longestTwoOwnersNanos;

    long lost;
    /** Lost holds of which the library told before their owners asked for the release, unasked. */
    long told;
    /** The longest time between two grants of the lock that is held briefly. */
    long longestGapNanos;

    String longestGapDuring = "";
    Seen.Count counted = new Seen.Count(0, 0, 0, 0);

    Measures(RowResult result) {
        this.entries = result.entries();
        this.holds = result.holds();
        calls();
        owners();
        losses();
        gaps();
        all(Seen.Fault.class).forEach(fault -> faults.merge(fault.label(), 1L, Long::sum));
        all(Seen.Count.class).forEach(count -> counted = count);
    }

    private <S extends Seen> List<S> all(Class<S> kind) {
        return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void calls() {
        Map<String, Seen.Asked> asked = all(Seen.Asked.class).stream()
                .collect(Collectors.toMap(Seen.Asked::id, call -> call, (first, second) -> second));
        calls = asked.size();
        for (Seen.Answered answer : all(Seen.Answered.class)) {
            Seen.Asked call = asked.get(answer.id());
            if (call != null && call.call() == Call.ACQUIRE) {
                acquires.merge(answer.outcome(), 1L, Long::sum);
            }
        }
    }

    private void owners() {
        Turns<Hold> turns = new Turns<>(Long.MAX_VALUE / 2, new Turns.Judge<>() {
            @Override
            public void overlap(Hold earlier, Hold later) {
                twoOwners++;
                longestTwoOwnersNanos = Math.max(longestTwoOwnersNanos, earlier.toNanos() - later.fromNanos());
            }

            @Override
            public void tokenDoesNotIncrease(Hold earlier, Hold later) {
                if (earlier.fromNanos() < later.askedNanos()) {
                    tokensBack++;
                }
            }
        });
        holds.forEach(turns::accept);
    }

    private void losses() {
        Set<String> toldUnasked = all(Seen.Told.class).stream()
                .filter(loss -> !loss.reason().equals(Seen.BY_A_LOOK))
                .map(loss -> loss.lane() + loss.lock() + loss.token())
                .collect(Collectors.toSet());
        for (Hold hold : holds) {
            boolean unasked = toldUnasked.contains(hold.lane() + hold.lock() + hold.token());
            if (hold.end() == Hold.End.LOST || unasked) {
                lost++;
                told += unasked ? 1 : 0;
            }
        }
    }

    private void gaps() {
        long latest = Long.MAX_VALUE;
        for (Hold hold : holds) {
            if (!hold.lock().equals(Trial.BRIEFLY_HELD)) {
                continue;
            }
            long before = latest;
            latest = hold.fromNanos();
            if (before != Long.MAX_VALUE && latest - before > longestGapNanos) {
                longestGapNanos = hold.fromNanos() - before;
                longestGapDuring = all(Seen.Fault.class).stream()
                        .filter(fault -> fault.fromNanos() < hold.fromNanos() && fault.toNanos() > before)
                        .map(Seen.Fault::label)
                        .findFirst()
                        .orElse("no fault");
            }
        }
    }
}
