package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Futures of a read lock, by a client of three servers. */
@Tag("proof")
@RedisTest(servers = 3)
class AsyncReadQuorumLockTest extends ReentrantLockContract implements OnServers {

    AsyncReadQuorumLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
