package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Futures of a read lock, where Sentinels say which server has the locks. */
@Tag("proof")
class AsyncReadSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    AsyncReadSentinelLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Reading.KIND);
    }
}
