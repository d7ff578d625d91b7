package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.KeyScheme;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a run is made of. */
enum Workload {
    /** Three clients, one server, two locks, 100 operations, 10 faults, 60 simulated seconds. */
    STANDARD(1, 10, KeyScheme.HOLDFAST),
    /** The same without faults: everything is to go smoothly, and soon. */
    CALM(1, 0, KeyScheme.HOLDFAST),
    /** The standard workload in the key scheme that is shared with Redisson. */
    REDISSON(1, 10, KeyScheme.REDISSON),
    /** The standard workload over three servers. */
    REDLOCK(3, 10, KeyScheme.HOLDFAST),
    /** The standard workload over five servers. */
    REDLOCK5(5, 14, KeyScheme.HOLDFAST);

    static final int CLIENTS = 3;
    static final int LOCKS = 2;
    static final int OPERATIONS = 100;

    final int servers;
    final int faults;
    final KeyScheme scheme;

    Workload(int servers, int faults, KeyScheme scheme) {
        this.servers = servers;
        this.faults = faults;
        this.scheme = scheme;
    }

    boolean isQuorum() {
        return servers > 1;
    }

    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Workload of(String title) {
        return Arrays.stream(values())
                .filter(workload -> workload.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("workload: '" + title + "' (expected: one of "
                        + Arrays.stream(values()).map(Workload::title).collect(Collectors.joining(", ")) + ")"));
    }
}
