package io.holdfast.lock.examples.cluster;

import io.holdfast.lock.examples.console.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The run in one picture: a lane for each node, with what was granted there, and one for the slot that was moved. */
final class NodeLanes {

    private static final int WIDTH = 62;
    private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * One look.
     *
     * @param granted what each node had granted by then, by letters
     * @param primaries the nodes that had slots
     * @param dead the nodes whose process was gone
     * @param open whether a slot was being moved
     */
    private record Look(long nanos, Map<String, Long> granted, Set<String> primaries, Set<String> dead, boolean open) {

        long grantedBy(String node) {
            return granted.getOrDefault(node, 0L);
        }
    }

    private final List<Look> looks = new ArrayList<>();

    void look(long nanos, Map<String, Long> granted, Set<String> primaries, Set<String> dead, boolean open) {
        looks.add(new Look(nanos, Map.copyOf(granted), Set.copyOf(primaries), Set.copyOf(dead), open));
    }

    /** What a node has granted in the last second before the last look, or in less where there is less. */
    long rate(String node) {
        if (looks.isEmpty()) {
            return 0;
        }
        Look last = looks.get(looks.size() - 1);
        Look before = at(last.nanos() - RATE_NANOS);
        long nanos = Math.max(1, last.nanos() - before.nanos());
        return Math.round((last.grantedBy(node) - before.grantedBy(node)) * (double) RATE_NANOS / nanos);
    }

    /** The lanes, for nodes of these letters. */
    List<String> lines(List<String> nodes) {
        List<String> lines = new ArrayList<>();
        if (looks.isEmpty()) {
            return lines;
        }
        long endNanos = looks.get(looks.size() - 1).nanos();
        Map<String, long[]> granted = new HashMap<>();
        nodes.forEach(node -> granted.put(node, grants(node, endNanos)));
        long most = granted.values().stream()
                .mapToLong(each -> Text.most(each))
                .max()
                .orElse(0);
        for (String node : nodes) {
            StringBuilder lane = new StringBuilder("  node " + node + "    ");
            for (int column = 0; column < WIDTH; column++) {
                lane.append(sign(node, at(timeOf(column, endNanos)), granted.get(node)[column], most));
            }
            lines.add(lane.toString().stripTrailing());
        }
        StringBuilder open = new StringBuilder("  move      ");
        for (int column = 0; column < WIDTH; column++) {
            open.append(at(timeOf(column, endNanos)).open() ? '>' : ' ');
        }
        lines.add(open.toString().stripTrailing());
        String end = Text.seconds(endNanos);
        lines.add("            0 s" + " ".repeat(WIDTH - 3 - end.length()) + end);
        return lines;
    }

    private static long timeOf(int column, long endNanos) {
        return endNanos * (column + 1) / WIDTH;
    }

    private static char sign(String node, Look look, long granted, long most) {
        if (look.dead().contains(node)) {
            return 'x';
        }
        return granted > 0 || look.primaries().contains(node) ? Text.level(granted, most) : '-';
    }

    /** What a node has granted in each column. */
    private long[] grants(String node, long endNanos) {
        long[] each = new long[WIDTH];
        for (int column = 0; column < WIDTH; column++) {
            long before = column == 0 ? 0 : at(timeOf(column - 1, endNanos)).grantedBy(node);
            each[column] = at(timeOf(column, endNanos)).grantedBy(node) - before;
        }
        return each;
    }

    /** The last look up to this time, or the first one. */
    private Look at(long nanos) {
        Look last = looks.get(0);
        for (Look look : looks) {
            if (look.nanos() > nanos) {
                break;
            }
            last = look;
        }
        return last;
    }
}
