package io.holdfast.lock.examples.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/** Which node is the primary of each slot, by the nodes' letters, as one node says. */
final class SlotTable {

    static final int SLOTS = 16_384;

    private static final char NONE = ' ';

    private final char[] primaries = new char[SLOTS];
    private final boolean serving;

    private SlotTable(boolean serving) {
        this.serving = serving;
        Arrays.fill(primaries, NONE);
    }

    /**
     * Reads the reply to {@code CLUSTER SLOTS}.
     *
     * @param ranges each has its first slot, its last slot, the host and port of its primary, and its replicas
     * @param letters the letter of the node with a port
     * @param serving whether the node that says it serves its slots
     */
    static SlotTable of(List<?> ranges, LongFunction<String> letters, boolean serving) {
        SlotTable table = new SlotTable(serving);
        for (Object range : ranges) {
            List<?> words = (List<?>) range;
            List<?> primary = (List<?>) words.get(2);
            char letter = letters.apply((Long) primary.get(1)).charAt(0);
            for (int slot = number(words.get(0)); slot <= number(words.get(1)); slot++) {
                table.primaries[slot] = letter;
            }
        }
        return table;
    }

    private static int number(Object word) {
        return Math.toIntExact((Long) word);
    }

    /** Whether the node that says it serves its slots; if not, it refuses all calls with {@code CLUSTERDOWN}. */
    boolean isServing() {
        return serving;
    }

    String primary(int slot) {
        return String.valueOf(primaries[slot]);
    }

    /** How many slots a node is the primary of. */
    int count(String letter) {
        int count = 0;
        for (char primary : primaries) {
            count += primary == letter.charAt(0) ? 1 : 0;
        }
        return count;
    }

    /** All slots in so many columns, each with the letter of the primary of its first slot. */
    String picture(int width) {
        StringBuilder picture = new StringBuilder();
        for (int column = 0; column < width; column++) {
            picture.append(primaries[column * SLOTS / width]);
        }
        return picture.toString();
    }

    /** The column of a slot in such a picture. */
    static int column(int slot, int width) {
        return slot * width / SLOTS;
    }
}
