package io.holdfast.lock.engine.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ScriptedBackend;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueHeapTest {

    private static final Store STORE = new Store(0, new ScriptedBackend());

    private final DueHeap heap = new DueHeap((lease, more) -> {});

    @Test
    void givesLeasesInTheOrderTheyAreDueWhateverWasMovedOrRemoved() {
        Random random = new Random(42);
        Map<StoreLease, Long> expected = new LinkedHashMap<>();
        List<StoreLease> all = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            StoreLease lease;
            if (all.isEmpty() || random.nextInt(4) == 0) {
                lease = StoreLease.granted(STORE, ServerRun.UNKNOWN, 0, 30_000);
                all.add(lease);
            } else {
                lease = all.get(random.nextInt(all.size()));
            }
            if (random.nextInt(3) == 0) {
                heap.remove(lease);
                expected.remove(lease);
            } else {
                // Around the end of the clock's range, where only differences mean anything.
                long dueNanos = Long.MAX_VALUE - 500 + random.nextInt(1_000);
                heap.put(lease, dueNanos);
                expected.put(lease, dueNanos);
            }
            assertThat(heap.contains(lease)).isEqualTo(expected.containsKey(lease));
            assertThat(heap.size()).isEqualTo(expected.size());
        }

        List<Long> order = new ArrayList<>();
        for (StoreLease first = heap.first(); first != null; first = heap.first()) {
            order.add(heap.firstDueNanos());
            assertThat(heap.firstDueNanos()).isEqualTo(expected.get(first));
            heap.remove(first);
        }

        Comparator<Long> earliest = (one, other) -> Long.signum(one - other);
        assertThat(order).isEqualTo(expected.values().stream().sorted(earliest).toList());
        assertThat(heap.size()).isZero();
    }
}
