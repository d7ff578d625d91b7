package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Futures of a fair lock, where Sentinels say which server has the locks. */
@Tag("proof")
class AsyncFairSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    AsyncFairSentinelLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.FAIR);
    }
}
