package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds that are their own owners, on one simulated server and on three. */
@Tag("proof")
@ParameterizedClass
@CsvSource({"HANDLE, 1", "HANDLE_FAIR, 1", "HANDLE_READ, 1", "HANDLE_WRITE, 1", "HANDLE, 3"})
class SimulatedHandleLockTest extends LockContract implements InSimulation {

    private final int servers;

    SimulatedHandleLockTest(LockCase lock, int servers) {
        super(lock);
        this.servers = servers;
    }

    @Override
    public int servers() {
        return servers;
    }
}
