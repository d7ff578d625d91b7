package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, on a cluster by TLS. */
@Tag("proof")
class AsyncTlsClusterLockTest extends ReentrantLockContract implements OnTlsCluster {

    AsyncTlsClusterLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }
}
