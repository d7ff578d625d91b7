package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/** Plays a row and judges what was seen. */
final class Conductor implements AutoCloseable {

    private final Troupe troupe = new Troupe();
    private final Manner manner;

    Conductor(Manner manner) {
        this.manner = manner;
    }

    RowResult play(Row row, Journal journal) {
        long start = System.nanoTime();
        try {
            if (row.is(Row.Trait.NETWORK) && !OwnNetwork.isInside()) {
                OwnNetwork.play(row, manner, journal);
            } else {
                playHere(row, journal);
            }
        } catch (Skipped reason) {
            return new RowResult(
                    row,
                    Verdict.SKIPPED,
                    (System.nanoTime() - start) / 1e9,
                    0,
                    0,
                    List.of("skipped: " + reason.getMessage()),
                    List.of(),
                    List.of(),
                    List.of());
        }
        return judge(row, journal, (System.nanoTime() - start) / 1e9);
    }

    /** Plays it in this process's network. */
    void playHere(Row row, Journal journal) {
        try (Stage stage = new Stage(row, manner, troupe, journal)) {
            try {
                row.scenario().play(stage);
                stage.drain();
                count(stage);
            } catch (Skipped reason) {
                throw reason;
            } catch (TestAbortedException reason) {
                throw new Skipped(String.valueOf(reason.getMessage()));
            } catch (Exception | AssertionError failure) {
                if (failure instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                StringWriter trace = new StringWriter();
                failure.printStackTrace(new PrintWriter(trace));
                journal.see(new Seen.Problem("row", "it could not be played to its end: " + trace));
            }
        }
    }

    /** What was written, and what is there. */
    private void count(Stage stage) {
        List<Seen.Wrote> written = stage.journal.all(Seen.Wrote.class);
        if (written.isEmpty()) {
            return;
        }
        long fenced = 0;
        long blind = 0;
        for (String counter : stage.counters()) {
            fenced += troupe.counters().fencedTotal(counter);
            blind += troupe.counters().blind(counter);
        }
        long accepted = written.stream()
                .filter(wrote -> wrote.counter().equals(Counters.FENCED) && wrote.accepted())
                .count();
        long refused = written.stream().filter(wrote -> !wrote.accepted()).count();
        long blindly = written.stream()
                .filter(wrote -> wrote.counter().equals(Counters.BLIND))
                .count();
        stage.journal.see(new Seen.Count(accepted, accepted - fenced, blindly - blind, refused));
    }

    private static RowResult judge(Row row, Journal journal, double seconds) {
        List<Seen> entries = journal.entries();
        Checks.Findings findings = Checks.of(row, entries);
        List<String> observed = new ArrayList<>();
        List<Seen.Problem> problems = new ArrayList<>(journal.all(Seen.Problem.class));
        Map<String, Long> bites = new LinkedHashMap<>();
        for (Seen.Bite bite : journal.all(Seen.Bite.class)) {
            observed.add(bite.count() + " " + bite.what());
            bites.merge(Tally.pattern(bite.what()), bite.count(), Long::sum);
        }
        journal.all(Seen.Note.class).forEach(note -> observed.add(note.text()));
        for (Seen.Count count : journal.all(Seen.Count.class)) {
            observed.add(count.updates() + " updates of the counter: lost under tokens " + count.lostFenced()
                    + ", lost without " + count.lostBlind() + "; stale writes refused " + count.refused());
            if (count.lostFenced() != 0) {
                problems.add(new Seen.Problem("FM", count.lostFenced() + " updates under tokens were lost"));
            }
        }
        observed.addAll(findings.observations());
        problems.addAll(findings.problems());
        if (bites.isEmpty() || bites.containsValue(0L)) {
            problems.add(new Seen.Problem("row", "the fault had no effect, so nothing is proved: " + bites));
        }
        return new RowResult(
                row,
                problems.isEmpty() ? Verdict.PASSED : Verdict.FAILED,
                seconds,
                journal.grants(),
                journal.all(Seen.Told.class).stream()
                        .map(told -> told.lane() + told.lock() + told.token())
                        .distinct()
                        .count(),
                observed,
                problems,
                entries,
                findings.holds());
    }

    @Override
    public void close() {
        troupe.close();
    }
}
