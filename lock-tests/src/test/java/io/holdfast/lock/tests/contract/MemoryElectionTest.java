package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.support.MemoryGround;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Over a store in memory. */
@Tag("proof")
class MemoryElectionTest extends OrderedElectionContract {

    @BeforeEach
    void open() {
        begin(new MemoryGround());
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
