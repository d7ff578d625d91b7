package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds as objects, on a cluster by TLS. */
@Tag("proof")
class HandleTlsClusterLockTest extends LockContract implements OnTlsCluster {

    HandleTlsClusterLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }
}
