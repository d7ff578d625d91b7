package io.holdfast.lock.testkit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * What one node of a cluster says of one node, as in {@code CLUSTER NODES}.
 *
 * @param id 40 hex digits; a node whose first message has not come yet has one that is made up
 * @param address where it is, as {@code host:port}
 * @param flags such as {@code myself}, {@code master}, {@code fail?}
 * @param master the id of its master; {@code -} if it is one itself
 * @param epoch the greater of two wins a slot that both claim
 * @param linked whether the one that says it has a connection to it
 * @param slots which it owns
 * @param open the slots that are being moved, as {@code [1->-id]} or {@code [1-<-id]}; known of the node itself only
 */
record ClusterLine(
        String id,
        String address,
        Set<String> flags,
        String master,
        long epoch,
        boolean linked,
        BitSet slots,
        List<String> open) {
    private static final int WORDS_BEFORE_SLOTS = 8;

    static ClusterLine parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        BitSet slots = new BitSet(HashSlot.COUNT);
        List<String> open = new ArrayList<>();
        for (String range : words.subList(WORDS_BEFORE_SLOTS, words.size())) {
            if (range.startsWith("[")) {
                open.add(range);
            } else {
                String[] ends = range.split("-", 2);
                slots.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
        }
        return new ClusterLine(
                words.get(0),
                words.get(1).split("@", 2)[0],
                Set.of(words.get(2).split(",")),
                words.get(3),
                Long.parseLong(words.get(6)),
                words.get(7).equals("connected"),
                slots,
                List.copyOf(open));
    }

    boolean isSelf() {
        return flags.contains("myself");
    }

    boolean isReplica() {
        return flags.contains("slave");
    }

    /** The slots that are being moved. */
    List<String> openSlots() {
        return open.stream()
                .map(shown -> shown.substring(1, shown.indexOf('-')))
                .toList();
    }

    boolean owns(BitSet wanted) {
        BitSet missing = (BitSet) wanted.clone();
        missing.andNot(slots);
        return missing.isEmpty();
    }

    /** Whether it is known by its own name, and neither suspected nor failed. */
    boolean isSound() {
        return linked && Set.of("myself", "master", "slave", "nofailover").containsAll(flags);
    }

    /** Such as {@code 127.0.0.1:7001 [myself, master] 1: {0-5460}}. */
    @Override
    public String toString() {
        StringBuilder shown =
                new StringBuilder(address + " " + flags.stream().sorted().toList());
        if (!linked) {
            shown.append(" without a link");
        }
        if (isReplica()) {
            shown.append(" of ").append(master, 0, Math.min(8, master.length()));
        } else {
            shown.append(" epoch ").append(epoch).append(" slots ").append(ranges());
        }
        return shown + (open.isEmpty() ? "" : " open " + open);
    }

    private List<String> ranges() {
        List<String> ranges = new ArrayList<>();
        for (int first = slots.nextSetBit(0); first >= 0; ) {
            int end = slots.nextClearBit(first);
            ranges.add(end - 1 == first ? String.valueOf(first) : first + "-" + (end - 1));
            first = slots.nextSetBit(end);
        }
        return ranges;
    }
}
