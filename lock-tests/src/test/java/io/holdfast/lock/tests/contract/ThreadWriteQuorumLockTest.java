package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a write lock, by a client of three servers. */
@Tag("proof")
@RedisTest(servers = 3)
class ThreadWriteQuorumLockTest extends ReentrantLockContract implements OnServers {

    ThreadWriteQuorumLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
