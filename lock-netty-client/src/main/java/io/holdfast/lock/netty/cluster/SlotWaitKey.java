package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.replication.WaitKey;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A wait key in a slot of one node of a cluster. It stays in its slot for as long as the node takes it there; else it is in the
 * slot of a grant, or else in any other slot of the node: a slot that is being moved away takes no new key.
 *
 * <p>Each choice has a name of its own, so that no name is ever at two nodes: an administrator's {@code MIGRATE} would fail.
 */
final class SlotWaitKey implements WaitKey {

    /** How many slots one round tries. */
    private static final int MOST_TRIED = 8;

    private static final int NONE = -1;

    private final String start;
    private final ClusterNode node;
    private final IntFunction<@Nullable ClusterNode> primaries;
    private final LongSupplier numbers;

    private int slot = NONE;
    private String name = "";

    /** The slot of a grant of the round under way, and the slots that it has tried in vain. */
    private int granted;

    private final Set<Integer> tried = new HashSet<>();

    /**
     * A key that is chosen when it is first needed.
     *
     * @param start what the key is called where its slot is of no matter
     * @param primaries the primary of each slot
     * @param numbers what tells the client's choices apart
     */
    SlotWaitKey(String start, ClusterNode node, IntFunction<@Nullable ClusterNode> primaries, LongSupplier numbers) {
        this.start = start;
        this.node = node;
        this.primaries = primaries;
        this.numbers = numbers;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void begin(int slotOfGrant) {
        granted = slotOfGrant;
        tried.clear();
        if (slot == NONE) {
            choose(slotOfGrant);
        }
    }

    @Override
    public boolean isAsked() {
        return primaries.apply(slot) != node;
    }

    @Override
    public boolean next() {
        tried.add(slot);
        int other = tried.contains(granted) ? anotherOfTheNode() : granted;
        if (other == NONE || tried.size() == MOST_TRIED) {
            return false;
        }
        choose(other);
        return true;
    }

    private void choose(int chosen) {
        slot = chosen;
        name = start + ":{" + SlotTag.of(chosen) + "}:" + numbers.getAsLong();
    }

    /** The highest first, since tools that move slots begin with the lowest. */
    private int anotherOfTheNode() {
        for (int other = SlotMap.SLOTS - 1; other >= 0; other--) {
            if (primaries.apply(other) == node && !tried.contains(other)) {
                return other;
            }
        }
        return NONE;
    }
}
