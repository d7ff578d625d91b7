package io.holdfast.lock.tests.contract;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Locks on one simulated server, and on three. */
@ParameterizedClass
@CsvSource({
    "THREAD, 1",
    "THREAD_FAIR, 1",
    "THREAD_READ, 1",
    "THREAD_WRITE, 1",
    "THREAD, 3",
    "THREAD_READ, 3",
    "THREAD_WRITE, 3"
})
class SimulatedLockTest extends ReentrantLockContract implements InSimulation {

    private final int servers;

    SimulatedLockTest(LockCase lock, int servers) {
        super(lock);
        this.servers = servers;
    }

    @Override
    public int servers() {
        return servers;
    }
}
