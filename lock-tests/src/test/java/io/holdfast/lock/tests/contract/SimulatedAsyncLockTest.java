package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Futures, on one simulated server and on three. */
@Tag("proof")
@ParameterizedClass
@CsvSource({"ASYNC, 1", "ASYNC_FAIR, 1", "ASYNC_READ, 1", "ASYNC_WRITE, 1", "ASYNC, 3"})
class SimulatedAsyncLockTest extends ReentrantLockContract implements InSimulation {

    private final int servers;

    SimulatedAsyncLockTest(LockCase lock, int servers) {
        super(lock);
        this.servers = servers;
    }

    @Override
    public int servers() {
        return servers;
    }
}
