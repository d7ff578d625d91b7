package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.HalvesState.Role;
import java.util.List;

/** How much may happen to a read/write lock over three or five nodes. One kind of trouble at a time. */
enum HalvesBounds implements Bounds {
    READERS(false, List.of(Role.reader(0, 2), Role.reader(1, 1), Role.writer(2, 1)), 0, 0, 0),
    DOWNGRADE(false, List.of(Role.writer(0, 1), Role.reader(0, 2), Role.writer(1, 1)), 0, 0, 0),
    RENEWAL(true, List.of(Role.reader(0, 2), Role.writer(1, 1)), 1, 0, 0),
    RESTART(true, List.of(Role.reader(0, 2), Role.writer(1, 1)), 0, 0, 1),
    FIVE(5, List.of(Role.reader(0, 1), Role.reader(1, 1), Role.writer(2, 1)), 0, 0),
    FIVE_DOWNGRADE(5, List.of(Role.writer(0, 1), Role.reader(0, 2), Role.writer(1, 1)), 0, 0),
    FIVE_RENEWAL(5, List.of(Role.reader(0, 2), Role.writer(1, 1)), 1, 0),
    FIVE_RESTART(5, List.of(Role.reader(0, 2), Role.writer(1, 1)), 0, 1),
    LONG_LOSS(true, List.of(Role.reader(0, 2), Role.writer(1, 2)), 1, 1, 0);

    final int nodes;

    /** Whether what was sent may be executed after time has passed. Else it is lost then, and undos are executed at once. */
    final boolean isLate;

    /** Of each hold that is asked for. */
    final List<Role> roles;

    /** For each hold. */
    final int renewals;

    final int losses;
    final int restarts;

    /** Over three nodes. */
    HalvesBounds(boolean isLate, List<Role> roles, int renewals, int losses, int restarts) {
        this(3, isLate, roles, renewals, losses, restarts);
    }

    /** What was sent is lost when time passes: with five nodes there would be too many states. */
    HalvesBounds(int nodes, List<Role> roles, int renewals, int restarts) {
        this(nodes, false, roles, renewals, 0, restarts);
    }

    HalvesBounds(int nodes, boolean isLate, List<Role> roles, int renewals, int losses, int restarts) {
        this.nodes = nodes;
        this.isLate = isLate;
        this.roles = roles;
        this.renewals = renewals;
        this.losses = losses;
        this.restarts = restarts;
    }

    /** In ticks. */
    int longestLease() {
        return roles.stream().mapToInt(Role::lease).max().orElseThrow();
    }
}
