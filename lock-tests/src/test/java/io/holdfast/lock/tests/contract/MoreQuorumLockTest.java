package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Further locks by a client of three servers, and locks made of those of three clients. */
@Tag("proof")
@RedisTest(servers = 3)
@ParameterizedClass
@CsvSource({
    "THREAD_READ, QUORUM",
    "THREAD_WRITE, QUORUM",
    "ASYNC_READ, QUORUM",
    "ASYNC_WRITE, QUORUM",
    "THREAD, COMPOSED",
    "THREAD_READ, COMPOSED",
    "THREAD_WRITE, COMPOSED"
})
class MoreQuorumLockTest extends ReentrantLockContract implements OnServers {

    private final Site.Kind kind;

    MoreQuorumLockTest(LockCase lock, Site.Kind kind) {
        super(lock);
        this.kind = kind;
    }

    @Override
    public Site.Kind kind() {
        return kind;
    }
}
