package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a fair lock, on a cluster. */
@Tag("proof")
class ThreadFairClusterLockTest extends ReentrantLockContract implements OnCluster {

    ThreadFairClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.FAIR);
    }
}
