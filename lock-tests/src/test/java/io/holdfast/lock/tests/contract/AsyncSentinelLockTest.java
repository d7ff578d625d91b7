package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, where Sentinels say which server has the locks. */
@Tag("proof")
class AsyncSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    AsyncSentinelLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }
}
