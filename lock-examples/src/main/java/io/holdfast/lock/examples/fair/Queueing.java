package io.holdfast.lock.examples.fair;

import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.Timeline;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One round: the processes come one after the other, each has the lock for a while, and one may be frozen. */
final class Queueing {

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final long LOOK_MILLIS = 2;
    private static final long BETWEEN_ARRIVALS_MILLIS = 80;

    private final Console console;
    private final List<ChildProcess> processes;
    private final Timeline timeline;
    private final List<Visit> visits = new ArrayList<>();
    private boolean inOrder = true;
    private long lastToken;

    Queueing(Console console, List<ChildProcess> processes) {
        this.console = console;
        this.processes = processes;
        this.timeline = new Timeline(console);
        processes.forEach(process -> visits.add(new Visit(process.number())));
    }

    /** All processes ask, each for a hold of this length. Each is in its place before the next one comes. */
    void arrive(long holdMillis) throws InterruptedException {
        for (int index = 0; index < processes.size(); index++) {
            Visit visit = visits.get(index);
            visit.ask(timeline.elapsedNanos());
            processes.get(index).order("ask " + holdMillis);
            hear(index, processes.get(index).answer(PATIENCE_MILLIS));
            look(BETWEEN_ARRIVALS_MILLIS);
        }
    }

    /** Freezes a process that waits. */
    void freeze(int number, long millis) {
        processes.get(number - 1).freeze(millis);
        long nowNanos = timeline.elapsedNanos();
        visits.get(number - 1).freeze(nowNanos, nowNanos + TimeUnit.MILLISECONDS.toNanos(millis));
        timeline.say("process " + number + " is " + console.doubtful("frozen") + " for " + millis
                + " ms: it hears nothing, and says nothing");
    }

    /** Shows what goes on until each has had the lock. */
    Visits finish() throws InterruptedException {
        long startNanos = timeline.elapsedNanos();
        while (!visits.stream().allMatch(Visit::isOver)) {
            look(LOOK_MILLIS);
            if (timeline.elapsedNanos() - startNanos > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
                throw new IllegalStateException("not all processes had the lock within " + PATIENCE_MILLIS + " ms");
            }
        }
        console.endLive();
        return new Visits(visits);
    }

    /** Whether every token was greater than all before. */
    boolean tokensIncreased() {
        return inOrder;
    }

    private void look(long millis) throws InterruptedException {
        long untilNanos = timeline.elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        do {
            for (int index = 0; index < processes.size(); index++) {
                while (processes.get(index).hasAnswer()) {
                    hear(index, processes.get(index).answer(PATIENCE_MILLIS));
                }
            }
            console.live(line());
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } while (timeline.elapsedNanos() < untilNanos);
    }

    private void hear(int index, String answer) {
        long nowNanos = timeline.elapsedNanos();
        Visit visit = visits.get(index);
        String[] words = answer.split(" ");
        String who = "process " + visit.process();
        switch (words[0]) {
            case "waits" -> timeline.say(who + " asks, and waits at place " + words[1]);
            case "granted" -> {
                visit.grant(nowNanos);
                long token = Long.parseLong(words[1]);
                inOrder &= token > lastToken;
                lastToken = token;
                timeline.say(who + " is " + console.good("granted") + " the lock after "
                        + Text.duration(visit.waitedNanos()) + ", token " + token);
            }
            case "released" -> visit.release(nowNanos);
            default -> throw new IllegalStateException(who + " said '" + answer + "'");
        }
    }

    private String line() {
        long nowNanos = timeline.elapsedNanos();
        StringBuilder line = new StringBuilder(String.format("  %7s ", Text.seconds(nowNanos)));
        for (Visit visit : visits) {
            String part = visit.process() + " " + visit.at(nowNanos).word();
            line.append(String.format("  %-8s", part));
        }
        return line.toString().stripTrailing();
    }
}
