package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.HalvesState.Role;
import java.util.List;

/** How much may happen to a read/write lock over three nodes. One kind of trouble at a time. */
enum HalvesBounds implements Bounds {
    READERS(false, false, List.of(Role.reader(0, 2), Role.reader(1, 1), Role.writer(2, 1)), 0, 0, 0),
    DOWNGRADE(false, false, List.of(Role.writer(0, 1), Role.reader(0, 2), Role.writer(1, 1)), 0, 0, 0),
    RENEWAL(false, true, List.of(Role.reader(0, 2), Role.writer(1, 1)), 1, 0, 0),
    RESTART(false, true, List.of(Role.reader(0, 2), Role.writer(1, 1)), 0, 0, 1),
    LONG_LOSS(true, true, List.of(Role.reader(0, 2), Role.writer(1, 2)), 1, 1, 0);

    private final boolean isLong;

    /** Whether what was sent may be executed after time has passed. Else it is lost then, and undos are executed at once. */
    final boolean isLate;

    /** Of each hold that is asked for. */
    final List<Role> roles;

    /** For each hold. */
    final int renewals;

    final int losses;
    final int restarts;

    HalvesBounds(boolean isLong, boolean isLate, List<Role> roles, int renewals, int losses, int restarts) {
        this.isLong = isLong;
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

    @Override
    public boolean isLong() {
        return isLong;
    }
}
