package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks on a cluster that is reached by TLS. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = {"THREAD", "ASYNC"})
class TlsClusterLockTest extends ReentrantLockContract implements OnTlsCluster {

    TlsClusterLockTest(LockCase lock) {
        super(lock);
    }
}
