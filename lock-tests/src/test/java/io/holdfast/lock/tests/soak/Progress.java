package io.holdfast.lock.tests.soak;

import io.holdfast.lock.tests.soak.Tally.End;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What one sees while it soaks: on a terminal two lines that are kept up to date, else a line now and then. */
final class Progress {

    private static final Duration LINE_EVERY = Duration.ofSeconds(30);
    private static final String ERASE_LINE = "\r\u001b[K";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    private final PrintStream out;
    private final boolean terminal;
    private long shownNanos = System.nanoTime();

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void show(Soak soak) {
        if (terminal) {
            out.print(ERASE_LINE + line(soak));
            out.flush();
        } else if (System.nanoTime() - shownNanos >= LINE_EVERY.toNanos()) {
            shownNanos = System.nanoTime();
            out.println(line(soak));
        }
    }

    void say(String text) {
        out.println((terminal ? ERASE_LINE : "") + text);
    }

    private String line(Soak soak) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - soak.startNanos);
        Duration left = soak.options.length().minus(elapsed);
        int faults = Arrays.stream(FaultKind.values()).mapToInt(soak::count).sum();
        int violations = soak.invariants.violationCount();
        return String.format(
                Locale.ROOT,
                "%s, %s left | %,d grants, %,d lost, %,d unknown | %d faults | %s | %s",
                clock(elapsed),
                clock(left.isNegative() ? Duration.ZERO : left),
                soak.count(End.GRANTED),
                soak.count(End.LOST),
                soak.count(End.UNKNOWN),
                faults,
                soak.jvms.stream().map(Progress::vitals).collect(Collectors.joining("  ")),
                violations > 0 && terminal ? RED + violations + " violations" + PLAIN : violations + " violations");
    }

    private static String vitals(Jvm jvm) {
        Vitals vitals = jvm.vitals();
        return vitals == null
                ? "-"
                : String.format(Locale.ROOT, "%.1f MB, %d fds", vitals.heapBytes() / 1e6, vitals.descriptors());
    }

    private static String clock(Duration time) {
        return String.format("%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
    }
}
