package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.support.MemoryGround;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A contract that is held over a store in memory, as on real servers. */
interface InMemory {

    @BeforeEach
    default void open() {
        ((LockContract) this).begin(new MemoryGround());
    }

    @AfterEach
    default void close() throws Exception {
        ((LockContract) this).end();
    }
}
