package io.holdfast.lock.examples.fair;

import io.holdfast.lock.examples.console.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All visits of a round: their order, the time in which nobody held the lock, and a picture. */
final class Visits {

    private static final int WIDTH = 62;

    private final List<Visit> all;

    /** In the order of arrival. */
    Visits(List<Visit> all) {
        this.all = List.copyOf(all);
    }

    /** The processes in the order in which they were granted the lock. */
    List<Integer> order() {
        return inOrder().stream().map(Visit::process).toList();
    }

    /** The longest time between the end of one hold and the beginning of the next. */
    long longestIdleNanos() {
        long longest = 0;
        List<Visit> turns = inOrder();
        for (int turn = 1; turn < turns.size(); turn++) {
            longest = Math.max(
                    longest,
                    turns.get(turn).grantedNanos() - turns.get(turn - 1).releasedNanos());
        }
        return longest;
    }

    private List<Visit> inOrder() {
        return all.stream()
                .sorted(Comparator.comparingLong(Visit::grantedNanos))
                .toList();
    }

    /** A lane for each process: a dot where it waits, a hash where it holds the lock, a z where it is frozen. */
    List<String> picture() {
        long endNanos = all.stream().mapToLong(Visit::releasedNanos).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (Visit visit : all) {
            StringBuilder lane = new StringBuilder("  process " + visit.process() + "  ");
            for (int column = 0; column < WIDTH; column++) {
                lane.append(visit.at(endNanos * column / WIDTH).sign());
            }
            lines.add(lane.toString().stripTrailing());
        }
        String end = Text.seconds(endNanos);
        lines.add("             0 s" + " ".repeat(WIDTH - 3 - end.length()) + end);
        return lines;
    }
}
