package io.holdfast.lock.examples.cluster;

import io.holdfast.lock.examples.console.Text;
import io.holdfast.lock.testkit.ServerCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The slots, where the locks are among them, and the nodes: what a terminal shows while the workers are at work. */
final class LiveMap {

    private static final int WIDTH = 64;
    private static final int NONE_OPEN = -1;

    private final List<String> locks;
    private final List<String> nodes;
    private final Predicate<String> alive;
    private int openSlot = NONE_OPEN;

    /**
     * @param locks their first letters tell them apart
     * @param alive whether the process of a node is there
     */
    LiveMap(List<String> locks, List<String> nodes, Predicate<String> alive) {
        this.locks = locks;
        this.nodes = nodes;
        this.alive = alive;
    }

    /** A slot is being moved from now on. */
    void open(int slot) {
        openSlot = slot;
    }

    /** No slot is being moved any more. */
    void closed() {
        openSlot = NONE_OPEN;
    }

    boolean isOpen() {
        return openSlot != NONE_OPEN;
    }

    /** The lines below a headline. */
    List<String> lines(SlotTable table, NodeLanes lanes) {
        char[] names = blank();
        char[] primaries = blank();
        for (String lock : locks) {
            int slot = ServerCluster.slotOf(lock);
            int column = SlotTable.column(slot, WIDTH);
            names[column] = lock.charAt(0);
            primaries[column] = sign(slot, table);
        }
        List<String> lines = new ArrayList<>();
        lines.add("  slots  " + table.picture(WIDTH));
        lines.add(("  locks  " + new String(names)).stripTrailing());
        lines.add(("  at     " + new String(primaries)).stripTrailing());
        int half = nodes.size() / 2;
        for (int row = 0; row < half; row++) {
            String left = node(nodes.get(row), table, lanes);
            lines.add(String.format("  %-38s%s", left, node(nodes.get(half + row), table, lanes)));
        }
        return lines;
    }

    private char sign(int slot, SlotTable table) {
        if (slot == openSlot) {
            return '>';
        }
        String primary = table.primary(slot);
        return alive.test(primary) ? primary.charAt(0) : 'x';
    }

    private String node(String letter, SlotTable table, NodeLanes lanes) {
        if (!alive.test(letter)) {
            return letter + "  dead";
        }
        int slots = table.count(letter);
        return slots == 0
                ? letter + "  replica"
                : String.format(Locale.ROOT, "%s  primary  %,6d slots  %,4d/s", letter, slots, lanes.rate(letter));
    }

    /** The same in few words, for where there is no terminal. */
    String inShort(SlotTable table, NodeLanes lanes) {
        StringBuilder line = new StringBuilder();
        for (String node : nodes) {
            if (!alive.test(node)) {
                line.append("  ").append(node).append(" dead");
            } else if (table.count(node) > 0) {
                line.append("  ")
                        .append(node)
                        .append(' ')
                        .append(Text.count(lanes.rate(node)))
                        .append("/s");
            }
        }
        return line.toString();
    }

    private static char[] blank() {
        char[] blank = new char[WIDTH];
        Arrays.fill(blank, ' ');
        return blank;
    }
}
