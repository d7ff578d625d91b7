package io.holdfast.lock.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.ServerCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LiveMapTest {

    private static final List<String> NODES = List.of("A", "B", "C", "D", "E", "F");

    private final Set<String> alive = new HashSet<>(NODES);
    private final LiveMap map = new LiveMap(ClusterCommand.LOCKS, NODES, alive::contains);

    /** The node with port 1 is A. */
    private static SlotTable table(long... ends) {
        List<Object> ranges = new ArrayList<>();
        long first = 0;
        for (int node = 0; node < ends.length; node++) {
            ranges.add(List.of(first, ends[node], List.of("127.0.0.1", node + 1L, "id")));
            first = ends[node] + 1;
        }
        return SlotTable.of(ranges, port -> NODES.get(Math.toIntExact(port - 1)), true);
    }

    @Test
    void itShowsSlotsLocksAndNodesWithinEightyColumns() {
        List<String> lines = map.lines(table(5460, 10_921, 16_383), new NodeLanes());
        assertThat(lines).hasSize(6).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(lines.get(0)).matches("  slots  A{22}B{21}C{21}");
        assertThat(lines.get(2).replaceAll("[^A-F]", "")).isEqualTo("AAAABBBBCCCC");
        assertThat(lines.get(3)).matches("  A  primary   5,461 slots     0/s +D  replica");
    }

    @Test
    void itShowsAnOpenSlotAndADeadNode() {
        alive.remove("A");
        map.open(ServerCluster.slotOf("carrots"));
        List<String> lines = map.lines(table(5460, 10_921, 16_383), new NodeLanes());
        assertThat(lines.get(2).replaceAll("[^A-Fx>]", "")).isEqualTo("xxxxBBBBCC>C");
        assertThat(lines.get(3)).startsWith("  A  dead ");
        assertThat(map.inShort(table(5460, 10_921, 16_383), new NodeLanes())).isEqualTo("  A dead  B 0/s  C 0/s");
    }

    /** So that none hides another in the map, and each primary has one of the first three. */
    @Test
    void theLocksAreSpreadOverTheSlots() {
        SlotTable table = table(5460, 10_921, 16_383);
        assertThat(ClusterCommand.LOCKS).extracting(lock -> lock.charAt(0)).doesNotHaveDuplicates();
        assertThat(ClusterCommand.LOCKS)
                .extracting(lock -> SlotTable.column(ServerCluster.slotOf(lock), 64))
                .doesNotHaveDuplicates();
        assertThat(ClusterPlay.oneOfEach(ClusterCommand.LOCKS.subList(0, 3), table))
                .containsExactly("apples", "bread", "carrots");
    }

    @Test
    void aWatchedLockIsInTheSlotOfTheLockBesideIt() {
        String name = WatchedLocks.nameBeside("carrots");
        assertThat(name).startsWith("watched-");
        assertThat(ServerCluster.slotOf(name)).isEqualTo(ServerCluster.slotOf("carrots"));
    }
}
