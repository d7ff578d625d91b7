package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.workload.Effort;
import io.holdfast.lock.benchmarks.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How far the run has come, and how long it will still take. */
final class Progress {

    private static final int BAR = 20;

    private final Screen screen;
    private final Effort effort;
    private final int count;
    private final long expectedMillis;
    private final long startNanos = System.nanoTime();
    private int number;
    private long doneMillis;
    private long beganNanos;
    private long currentMillis;
    private String title = "";

    Progress(Screen screen, List<Workload> workloads, Effort effort) {
        this.screen = screen;
        this.effort = effort;
        this.count = workloads.size();
        this.expectedMillis = workloads.stream()
                .mapToLong(workload -> workload.expectedMillis(effort))
                .sum();
    }

    void begin(Workload workload) {
        number++;
        title = workload.about().title();
        currentMillis = workload.expectedMillis(effort);
        beganNanos = System.nanoTime();
        step("making ready");
    }

    void step(String what) {
        long passed = Math.min(currentMillis, (System.nanoTime() - beganNanos) / 1_000_000);
        double fraction = Math.min(1, (double) (doneMillis + passed) / Math.max(1, expectedMillis));
        int filled = (int) Math.round(fraction * BAR);
        screen.live(String.format(
                Locale.ROOT,
                "[%s%s] %d/%d %s: %s; %s passed, about %s left",
                "#".repeat(filled),
                "-".repeat(BAR - filled),
                number,
                count,
                title,
                what,
                clock(Duration.ofNanos(System.nanoTime() - startNanos)),
                clock(left(fraction))));
    }

    void end(Workload workload) {
        doneMillis += workload.expectedMillis(effort);
        screen.endLive();
    }

    /** What was planned, corrected by how well the plan has held so far. */
    private Duration left(double fraction) {
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        double planned = expectedMillis / 1e3;
        double pace = fraction < 0.05 ? 1 : Math.max(0.5, Math.min(2, elapsed / (planned * fraction)));
        return Duration.ofSeconds(Math.round(planned * (1 - fraction) * pace));
    }

    private static String clock(Duration time) {
        return String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
    }
}
