package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Futures of a write lock, where Sentinels say which server has the locks. */
@Tag("proof")
class AsyncWriteSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    AsyncWriteSentinelLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.WRITE);
    }
}
