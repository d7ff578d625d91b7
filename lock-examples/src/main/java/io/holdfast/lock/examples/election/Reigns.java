package io.holdfast.lock.examples.election;

import io.holdfast.lock.Leader;
import io.holdfast.lock.examples.console.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who led when, as an observer was told, and when a process was killed: the list, and a picture. */
final class Reigns {

    private static final int WIDTH = 62;

    private final long startNanos = System.nanoTime();
    private final List<Reign> all = new ArrayList<>();
    private boolean termsIncrease = true;

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** The observer was told who leads; a candidate's id is its number. */
    synchronized void changed(Optional<Leader> leader) {
        long now = elapsedNanos();
        if (leader.isPresent()
                && !all.isEmpty()
                && newest().term() == leader.get().term()) {
            return;
        }
        if (!all.isEmpty() && !newest().isOver()) {
            replaceNewest(newest().until(now));
        }
        if (leader.isPresent()) {
            termsIncrease &= all.isEmpty() || newest().term() < leader.get().term();
            all.add(new Reign(Integer.parseInt(leader.get().id()), leader.get().term(), now, Reign.STILL, false));
        }
        notifyAll();
    }

    /** The leader's process was killed: from now on it leads for the server only. */
    synchronized void killed() {
        replaceNewest(newest().cutShort(elapsedNanos()));
    }

    /** Waits until so many terms have begun; false if they do not in time. */
    synchronized boolean await(int terms, long patienceNanos) throws InterruptedException {
        long endNanos = System.nanoTime() + patienceNanos;
        while (all.size() < terms && System.nanoTime() - endNanos < 0) {
            wait(1 + Math.max(0, endNanos - System.nanoTime()) / 1_000_000);
        }
        return all.size() >= terms;
    }

    /** Waits until the last leader is seen to have gone. */
    synchronized boolean awaitEnd(long patienceNanos) throws InterruptedException {
        long endNanos = System.nanoTime() + patienceNanos;
        while (!newest().isOver() && System.nanoTime() - endNanos < 0) {
            wait(1 + Math.max(0, endNanos - System.nanoTime()) / 1_000_000);
        }
        return newest().isOver();
    }

    private Reign newest() {
        return all.get(all.size() - 1);
    }

    private void replaceNewest(Reign changed) {
        all.set(all.size() - 1, changed);
    }

    synchronized List<Reign> all() {
        return List.copyOf(all);
    }

    synchronized boolean termsIncrease() {
        return termsIncrease;
    }

    /** How long no process led behind this term; 0 if it was the last. */
    long gapNanos(int term) {
        List<Reign> reigns = all();
        return term + 1 < reigns.size()
                ? reigns.get(term + 1).fromNanos() - reigns.get(term).untilNanos()
                : 0;
    }

    /** A lane for each process: a dot while it waits, a hash while it leads, an x when it is killed. */
    List<String> picture(int processes) {
        List<Reign> reigns = all();
        long endNanos = elapsedNanos();
        List<String> lines = new ArrayList<>();
        for (int process = 1; process <= processes; process++) {
            StringBuilder lane = new StringBuilder("  process " + process + "  ");
            boolean hasLed = false;
            for (int column = 0; column < WIDTH; column++) {
                char sign = sign(reigns, process, endNanos * column / WIDTH, hasLed);
                hasLed |= sign == '#';
                lane.append(sign);
            }
            lines.add(lane.toString().stripTrailing());
        }
        String end = Text.seconds(endNanos);
        lines.add("             0 s" + " ".repeat(WIDTH - 3 - end.length()) + end);
        return lines;
    }

    private static char sign(List<Reign> reigns, int process, long nanos, boolean hasLed) {
        for (Reign reign : reigns) {
            if (reign.process() == process && reign.covers(nanos)) {
                return '#';
            }
            if (reign.process() == process && reign.killed() && hasLed) {
                return 'x';
            }
        }
        return hasLed ? ' ' : '.';
    }
}
