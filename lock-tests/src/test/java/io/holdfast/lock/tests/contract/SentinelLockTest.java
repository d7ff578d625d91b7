package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks where Sentinels say which server has them. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = {"THREAD", "THREAD_FAIR", "THREAD_READ", "THREAD_WRITE"})
class SentinelLockTest extends ReentrantLockContract implements OnSentinels {

    SentinelLockTest(LockCase lock) {
        super(lock);
    }
}
