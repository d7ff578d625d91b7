package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a write lock, on a cluster. */
@Tag("proof")
class ThreadWriteClusterLockTest extends ReentrantLockContract implements OnCluster {

    ThreadWriteClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }
}
