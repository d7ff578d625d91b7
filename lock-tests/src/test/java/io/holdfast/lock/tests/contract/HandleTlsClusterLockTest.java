package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, on a cluster that is reached by TLS. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = "HANDLE")
class HandleTlsClusterLockTest extends LockContract implements OnTlsCluster {

    HandleTlsClusterLockTest(LockCase lock) {
        super(lock);
    }
}
