package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Backend;

/** One of the stores that keep a lock: the only one, or one of a quorum's independent nodes. */
final class Store {

    private final int index;
    private final Backend backend;

    /** @param index its place among the stores of the engine */
    Store(int index, Backend backend) {
        this.index = index;
        this.backend = backend;
    }

    int index() {
        return index;
    }

    Backend backend() {
        return backend;
    }

    String node() {
        return backend.describe();
    }

    @Override
    public String toString() {
        return node();
    }
}
