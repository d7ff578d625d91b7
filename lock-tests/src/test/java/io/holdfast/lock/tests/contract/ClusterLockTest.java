package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks on a cluster. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = {"THREAD", "THREAD_FAIR", "THREAD_READ", "THREAD_WRITE", "ASYNC"})
class ClusterLockTest extends ReentrantLockContract implements OnCluster {

    ClusterLockTest(LockCase lock) {
        super(lock);
    }
}
