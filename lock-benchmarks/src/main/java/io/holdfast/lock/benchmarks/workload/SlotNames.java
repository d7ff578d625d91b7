package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.testkit.ServerCluster;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Names whose slots are wanted: the slot of a lock is that of its name, also with Redisson. */
final class SlotNames {

    private SlotNames() {}

    /** The first so many names of this beginning, in slots that are wanted. */
    static List<String> of(String beginning, int count, IntPredicate wanted) {
        return IntStream.iterate(1, number -> number + 1)
                .mapToObj(number -> beginning + number)
                .filter(name -> wanted.test(ServerCluster.slotOf(name)))
                .limit(count)
                .toList();
    }
}
