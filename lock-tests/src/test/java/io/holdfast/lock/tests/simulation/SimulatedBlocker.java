package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;

/** How threads of a client wait: the world goes on, and wakes them when they may. */
final class SimulatedBlocker implements Blocker {

    private final World world;
    private final SimulatedClient client;

    SimulatedBlocker(World world, SimulatedClient client) {
        this.world = world;
        this.client = client;
    }

    @Override
    public boolean mayWait() {
        return Thread.currentThread() instanceof SimulatedThread;
    }

    @Override
    public void await(Awaited awaited) {
        if (!awaited.isDone() && !Thread.currentThread().isInterrupted()) {
            SimulatedThread.current().waitUntil(world, client, awaited::isDone);
        }
    }

    @Override
    public void unblock(Thread thread) {
        // The world looks after every event who may go on.
    }
}
