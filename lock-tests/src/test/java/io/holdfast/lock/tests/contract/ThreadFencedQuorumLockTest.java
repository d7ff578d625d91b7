package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a fenced lock, by a client of three servers. */
@Tag("proof")
@Tag("long")
@RedisTest(servers = 3)
class ThreadFencedQuorumLockTest extends ReentrantLockContract implements OnServers {

    ThreadFencedQuorumLockTest() {
        super(LockForm.FENCED, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.FENCED_QUORUM;
    }
}
