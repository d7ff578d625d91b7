package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** Holds that are their own owners, by a client of three servers. */
@RedisTest(servers = 3)
class HandleQuorumLockTest extends LockContract {

    HandleQuorumLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Site.Kind.QUORUM);
    }
}
