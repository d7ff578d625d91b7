package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds as objects, on a cluster. */
@Tag("proof")
class HandleClusterLockTest extends LockContract implements OnCluster {

    HandleClusterLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }
}
