package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, where Sentinels say which server has the locks. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = {"HANDLE", "HANDLE_FAIR", "HANDLE_READ", "HANDLE_WRITE"})
class HandleSentinelLockTest extends LockContract implements OnSentinels {

    HandleSentinelLockTest(LockCase lock) {
        super(lock);
    }
}
