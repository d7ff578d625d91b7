package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, on a cluster. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = "HANDLE")
class HandleClusterLockTest extends LockContract implements OnCluster {

    HandleClusterLockTest(LockCase lock) {
        super(lock);
    }
}
