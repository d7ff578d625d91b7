package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, on a cluster. */
@Tag("proof")
class AsyncClusterLockTest extends ReentrantLockContract implements OnCluster {

    AsyncClusterLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }
}
