package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.evidence.Turns;
import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.History;
import io.holdfast.lock.tests.history.Judgement;
import io.holdfast.lock.tests.history.Linearizability;
import io.holdfast.lock.tests.history.Model;
import io.holdfast.lock.tests.history.Outcome;
import io.holdfast.lock.tests.history.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** What must hold whatever the fault was, checked on what was seen. */
final class Checks {

    /** The poll with its jitter, a round trip, and some time for a busy machine. */
    private static final long LONGEST_FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(8_000);

    /** A possible history takes some steps for each call; an impossible one may take any number. */
    private static final long MOST_STEPS = 5_000_000;

    private final Row row;
    private final List<Seen> entries;
    private final List<Hold> holds;
    private final List<Seen.Problem> problems = new ArrayList<>();
    private final List<String> observations = new ArrayList<>();

    private Checks(Row row, List<Seen> entries) {
        this.row = row;
        this.entries = entries;
        this.holds = Holds.of(entries);
    }

    /**
     * What was found.
     *
     * @param problems what must not be
     * @param observations what else is worth telling
     */
    record Findings(List<Hold> holds, List<Seen.Problem> problems, List<String> observations) {}

    static Findings of(Row row, List<Seen> entries) {
        Checks checks = new Checks(row, entries);
        checks.order();
        checks.exclusion();
        checks.wakeUps();
        checks.ends();
        checks.outcomes();
        return new Findings(checks.holds, checks.problems, checks.observations);
    }

    private <S extends Seen> List<S> all(Class<S> kind) {
        return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private List<Seen.Fault> faults(Seen.Harm... harms) {
        return all(Seen.Fault.class).stream()
                .filter(fault -> List.of(harms).contains(fault.harm()))
                .toList();
    }

    // --- ME, FM, HC: the whole history in one order, but for readers: the model is a mutex ---

    private void order() {
        Judgement judgement = Linearizability.judge(Model.REENTRANT_FENCED_MUTEX, history(), MOST_STEPS);
        for (Violation violation : judgement.violations()) {
            problems.add(new Seen.Problem("history", violation.message()));
        }
        for (String lock : judgement.givenUp()) {
            problems.add(new Seen.Problem(
                    "history",
                    "of lock '" + lock + "': no order was found in " + MOST_STEPS
                            + " steps, and it was not shown that there is none"));
        }
    }

    History history() {
        History.Builder history = History.builder();
        Map<String, Integer> numbers = new HashMap<>();
        for (Seen.Asked call : all(Seen.Asked.class)) {
            if (!Hold.reads(call.owner())) {
                numbers.put(
                        call.id(), history.invoke(call.lock(), call.owner(), call.call(), call.token(), call.nanos()));
            }
        }
        for (Seen.Answered answer : all(Seen.Answered.class)) {
            Integer number = numbers.get(answer.id());
            if (number == null) {
                continue;
            }
            switch (answer.outcome()) {
                case OK ->
                    history.granted(number, answer.token(), answer.count(), answer.validUntilNanos(), answer.nanos());
                case REFUSED -> refused(history, number, answer);
                case LOST -> history.lost(number, answer.nanos());
                case FAIL -> history.fail(number, answer.nanos());
                case UNKNOWN -> history.unknown(number, answer.nanos());
            }
        }
        for (Seen.Forgot forgot : all(Seen.Forgot.class)) {
            history.forget(forgot.lock(), forgot.fromNanos(), forgot.toNanos());
        }
        Set<String> forgotten =
                all(Seen.Forgot.class).stream().map(Seen.Forgot::lock).collect(Collectors.toSet());
        for (Seen.Lasting lasting : all(Seen.Lasting.class)) {
            // Who does not know yet that his hold was forgotten believes in it.
            if (!forgotten.contains(lasting.lock()) && !Hold.reads(lasting.owner())) {
                int number =
                        history.invoke(lasting.lock(), lasting.owner(), Call.EXTEND, lasting.token(), lasting.nanos());
                history.extended(number, lasting.validUntilNanos(), lasting.nanos());
            }
        }
        return history.build();
    }

    /** At one of several servers a call may hold what it does not get: votes are split. In turn, a reader may be in the way. */
    private void refused(History.Builder history, int number, Seen.Answered answer) {
        if (row.is(Row.Trait.QUORUM) || row.is(Row.Trait.IN_TURN)) {
            history.fail(number, answer.nanos());
        } else {
            history.refused(number, answer.nanos());
        }
    }

    // --- ME by itself, so that it can be counted ---

    private void exclusion() {
        List<String> overlaps = new ArrayList<>();
        AtomicInteger excused = new AtomicInteger();
        Turns<Hold> turns = new Turns<>(Long.MAX_VALUE / 2, new Turns.Judge<>() {
            @Override
            public void overlap(Hold earlier, Hold later) {
                if (earlier.reads() && later.reads()) {
                    return;
                }
                if (isForgottenBefore(earlier, later.fromNanos())) {
                    excused.incrementAndGet();
                } else {
                    overlaps.add(earlier.lane() + " and " + later.lane() + " hold '" + earlier.lock() + "', tokens "
                            + earlier.token() + " and " + later.token());
                }
            }

            @Override
            public void tokenDoesNotIncrease(Hold earlier, Hold later) {
                // The history tells, which knows what was forgotten.
            }
        });
        holds.forEach(turns::accept);
        if (excused.get() > 0) {
            observations.add("two owners at once, because the server had forgotten the first: " + excused
                    + "; their tokens tell them apart");
        }
        if (!overlaps.isEmpty()) {
            problems.add(new Seen.Problem("ME", "validity windows overlap: " + overlaps));
        }
    }

    private boolean isForgottenBefore(Hold hold, long nanos) {
        return all(Seen.Forgot.class).stream()
                .anyMatch(forgot -> forgot.lock().equals(hold.lock())
                        && forgot.fromNanos() <= nanos
                        && forgot.toNanos() >= hold.fromNanos());
    }

    // --- NLW ---

    private void wakeUps() {
        Map<String, List<Hold>> byLock = holds.stream().collect(Collectors.groupingBy(Hold::lock));
        List<Seen.Fault> faults = faults(Seen.Harm.OUTAGE, Seen.Harm.FREEZE);
        long longest = 0;
        for (List<Hold> turns : byLock.values()) {
            long freeSince = Long.MAX_VALUE;
            for (Hold hold : turns) {
                if (freeSince != Long.MAX_VALUE) {
                    long from = Math.max(freeSince, hold.askedNanos());
                    long waited = hold.fromNanos() - from - overlap(faults, from, hold.fromNanos());
                    longest = Math.max(longest, waited);
                }
                freeSince = Math.max(freeSince == Long.MAX_VALUE ? Long.MIN_VALUE : freeSince, hold.endNanos());
            }
        }
        observations.add("longest from free to granted, outages aside: " + millis(longest));
        if (longest > LONGEST_FREE_NANOS) {
            problems.add(new Seen.Problem("NLW", "a lock was free for " + millis(longest) + " while somebody waited"));
        }
    }

    private static long overlap(List<Seen.Fault> faults, long from, long to) {
        return faults.stream()
                .mapToLong(fault -> Math.max(0, Math.min(to, fault.toNanos()) - Math.max(from, fault.fromNanos())))
                .sum();
    }

    // --- LV ---

    private void ends() {
        Map<String, Seen.Answered> answers = all(Seen.Answered.class).stream()
                .collect(Collectors.toMap(Seen.Answered::id, answer -> answer, (first, second) -> second));
        List<Seen.Fault> faults = faults(Seen.Harm.OUTAGE, Seen.Harm.FREEZE);
        List<Seen.Fault> freezes = faults(Seen.Harm.FREEZE);
        for (Seen.Asked call : all(Seen.Asked.class)) {
            Seen.Answered answer = answers.get(call.id());
            if (answer == null) {
                problems.add(new Seen.Problem("LV", call.id() + " " + call.call() + " has not ended"));
                continue;
            }
            // A release has no limit of its own: it is tried for as long as the server can't be had.
            List<Seen.Fault> excuses = call.call() == Call.RELEASE ? faults : freezes;
            long took = answer.nanos() - call.nanos() - overlap(excuses, call.nanos(), answer.nanos());
            if (took > TimeUnit.MILLISECONDS.toNanos(call.boundMillis())) {
                problems.add(new Seen.Problem(
                        "LV",
                        call.id() + " " + call.call() + " took " + millis(took) + " (expected: <= " + call.boundMillis()
                                + " ms)"));
            }
        }
    }

    // --- what callers were told ---

    private void outcomes() {
        Map<String, Integer> count = new TreeMap<>();
        for (Seen.Answered answer : all(Seen.Answered.class)) {
            if (answer.outcome() != Outcome.OK && answer.outcome() != Outcome.REFUSED) {
                count.merge(
                        answer.outcome().name().toLowerCase(Locale.ROOT) + " (" + answer.reason() + ")",
                        1,
                        Integer::sum);
            }
        }
        if (!count.isEmpty()) {
            observations.add("calls: "
                    + count.entrySet().stream()
                            .map(entry -> entry.getValue() + " " + entry.getKey())
                            .collect(Collectors.joining(", ")));
        }
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.0f ms", nanos / 1e6);
    }
}
