package io.holdfast.lock.testkit;

import java.util.BitSet;
import java.util.List;

/**
 * Which nodes of a cluster are masters at first, of which slots, and which follow which. The masters come first, then one
 * replica of each of them, then the next replica of each, and so on.
 *
 * @param masters how many there are
 * @param replicas how many each has
 */
record ClusterLayout(int masters, int replicas) {
    int size() {
        return masters * (1 + replicas);
    }

    boolean isMaster(int index) {
        return index < masters;
    }

    /** The place of the node that a replica follows. */
    int masterOf(int index) {
        return index % masters;
    }

    /** The slots of a master. */
    BitSet slotsOf(int master) {
        BitSet slots = new BitSet(HashSlot.COUNT);
        slots.set(master * HashSlot.COUNT / masters, (master + 1) * HashSlot.COUNT / masters);
        return slots;
    }

    /** Gives a node that knows no other its slots. Two nodes of the same epoch would have to find another one first. */
    void prepare(RedisServer node, int index) {
        try (RawRedis connection = node.connect()) {
            if (isMaster(index)) {
                new ClusterSlots(connection).take(slotsOf(index));
            }
            connection.command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(index + 1));
        }
    }

    /** Whether the slots and the roles of these nodes are as they were at first, and no slot is being moved. */
    boolean isOf(List<String> ids, ClusterViews views) {
        for (int i = 0; i < size(); i++) {
            boolean same = isMaster(i)
                    ? slotsOf(i).equals(views.owners().get(ids.get(i)))
                    : views.masterOf(ids.get(i))
                            .filter(ids.get(masterOf(i))::equals)
                            .isPresent();
            if (!same) {
                return false;
            }
        }
        return !views.haveOpenSlots();
    }
}
