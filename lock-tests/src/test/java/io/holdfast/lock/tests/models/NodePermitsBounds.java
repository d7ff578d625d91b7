package io.holdfast.lock.tests.models;

/** Over how many nodes permits would be kept, and how many of them there are. */
enum NodePermitsBounds implements Bounds {
    THREE(3, 2),
    FIVE(5, 2);

    final int nodes;
    final int limit;

    NodePermitsBounds(int nodes, int limit) {
        this.nodes = nodes;
        this.limit = limit;
    }
}
