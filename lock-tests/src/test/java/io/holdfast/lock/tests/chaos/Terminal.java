package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The table on the terminal. On a real one a line at the bottom tells what is being played. */
final class Terminal {

    private static final String CLEAR = "\r\u001b[K";
    private static final int FAULT_WIDTH = 36;

    private final boolean real;

    Terminal() {
        real = isTerminal();
    }

    /** Whether standard output is a terminal. From Java 22 on a console may exist without one, and can be asked. */
    private static boolean isTerminal() {
        Console console = System.console();
        try {
            return console != null
                    && (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException older) {
            return true;
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException("the console can't be asked whether it is a terminal", unexpected);
        }
    }

    void begin(String title) {
        System.out.println(title + System.lineSeparator());
        System.out.println(bold(String.format(
                "%4s  %-" + FAULT_WIDTH + "s %7s %7s %7s  %s",
                "row",
                "fault",
                "seconds",
                "grants",
                "losses",
                "verdict")));
    }

    void row(RowResult result) {
        System.out.println(clear()
                + String.format(
                        Locale.ROOT,
                        "%4s  %-" + FAULT_WIDTH + "s %7.1f %7d %7d  %s",
                        result.row().name(),
                        result.row().fault(),
                        result.seconds(),
                        result.grants(),
                        result.lossesTold(),
                        coloured(result.verdict())));
        if (result.verdict() == Verdict.SKIPPED) {
            result.observed().forEach(why -> System.out.println("      " + why));
        }
        for (Seen.Problem problem : result.problems()) {
            List<String> lines = problem.text().lines().toList();
            System.out.println("      " + problem.check() + ": " + (lines.isEmpty() ? "" : lines.get(0)));
            lines.stream().skip(1).limit(12).forEach(line -> System.out.println("        " + line));
        }
    }

    void end(Run run, Path report) {
        System.out.printf(
                Locale.ROOT,
                "%n%s: %d passed, %d failed, %d skipped, in %.0f s; %,d grants, %,d losses told%n%s%n",
                run.count(Verdict.FAILED) == 0 ? "held" : bold("BROKEN"),
                run.count(Verdict.PASSED),
                run.count(Verdict.FAILED),
                run.count(Verdict.SKIPPED),
                run.seconds(),
                run.grants(),
                run.lossesTold(),
                report.toAbsolutePath().normalize());
        String rows = String.join(
                ",",
                run.results().stream()
                        .filter(result -> result.verdict() == Verdict.FAILED)
                        .map(result -> result.row().name())
                        .toList());
        if (!rows.isEmpty()) {
            System.out.printf(
                    "again: lock-tests/chaos --only %s%s%n",
                    rows, run.choices().manner().options());
        }
    }

    Progress progress(Row row, Journal journal, int done, int all) {
        return new Progress(
                String.format("%4s  %-" + FAULT_WIDTH + "s", row.name(), row.fault()),
                journal,
                String.format("%d of %d", done + 1, all));
    }

    /** Tells about a row while it is played. */
    final class Progress implements AutoCloseable {

        private final CountDownLatch over = new CountDownLatch(1);
        private final Thread thread;

        private Progress(String row, Journal journal, String count) {
            long start = System.nanoTime();
            thread = new Thread(
                    () -> {
                        while (!isOver()) {
                            System.out.printf(
                                    Locale.ROOT,
                                    "%s%s %7.1f %7d          (%s)",
                                    CLEAR,
                                    row,
                                    (System.nanoTime() - start) / 1e9,
                                    journal.grants(),
                                    count);
                            System.out.flush();
                        }
                    },
                    "progress");
            thread.setDaemon(true);
            if (real) {
                thread.start();
            }
        }

        private boolean isOver() {
            try {
                return over.await(250, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                return true;
            }
        }

        @Override
        public void close() {
            over.countDown();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String clear() {
        return real ? CLEAR : "";
    }

    private String bold(String text) {
        return real ? "\u001b[1m" + text + "\u001b[0m" : text;
    }

    private String coloured(Verdict verdict) {
        int colour = verdict == Verdict.PASSED ? 32 : verdict == Verdict.FAILED ? 31 : 33;
        return real ? "\u001b[" + colour + "m" + verdict + "\u001b[0m" : verdict.toString();
    }
}
