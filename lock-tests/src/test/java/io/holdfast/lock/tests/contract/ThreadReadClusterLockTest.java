package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a read lock, on a cluster. */
@Tag("proof")
class ThreadReadClusterLockTest extends ReentrantLockContract implements OnCluster {

    ThreadReadClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND);
    }
}
