package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods, on a cluster by TLS. */
@Tag("proof")
class ThreadTlsClusterLockTest extends ReentrantLockContract implements OnTlsCluster {

    ThreadTlsClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }
}
