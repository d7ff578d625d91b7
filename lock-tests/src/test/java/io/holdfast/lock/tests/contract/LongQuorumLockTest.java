package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Futures and fenced locks, of three servers. */
@Tag("proof")
@Tag("long")
@RedisTest(servers = 3)
@ParameterizedClass
@CsvSource({"ASYNC, QUORUM", "ASYNC, COMPOSED", "FENCED, FENCED_QUORUM"})
class LongQuorumLockTest extends ReentrantLockContract implements OnServers {

    private final Site.Kind kind;

    LongQuorumLockTest(LockCase lock, Site.Kind kind) {
        super(lock);
        this.kind = kind;
    }

    @Override
    public Site.Kind kind() {
        return kind;
    }
}
