package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods, on a cluster. */
@Tag("proof")
class ThreadClusterLockTest extends ReentrantLockContract implements OnCluster {

    ThreadClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }
}
