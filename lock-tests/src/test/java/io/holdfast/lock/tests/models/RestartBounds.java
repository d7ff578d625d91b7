package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.RestartState.Memory;
import java.util.List;

/** What may happen to the nodes of the restart model, how old they are, and which clients there are. */
enum RestartBounds implements Bounds {
    /** Two clients that were there before; nodes forget, and an uptime may be made up. */
    WERE_THERE(2, 2, true, 2, List.of(Memory.values())),
    /** One client that was there before, and one that comes later and finds an old node. */
    COMES_LATER(1, 2, false, 2, List.of(Memory.values())),
    /** The same where no node is old, and those that restart have at least a snapshot. */
    YOUNG_FLEET(1, 0, false, 2, List.of(Memory.FILE, Memory.SNAPSHOT)),
    LONG_WERE_THERE(2, 2, true, 3, List.of(Memory.values()));

    /** How many of the two clients are connected at the start. */
    final int before;

    /** How old the nodes are at the start, in ticks. */
    final int age;

    /** Whether a process that starts may tell any uptime. */
    final boolean madeUpUptimes;

    final int restarts;
    final List<Memory> memories;

    RestartBounds(int before, int age, boolean madeUpUptimes, int restarts, List<Memory> memories) {
        this.before = before;
        this.age = age;
        this.madeUpUptimes = madeUpUptimes;
        this.restarts = restarts;
        this.memories = memories;
    }
}
