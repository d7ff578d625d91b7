package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, by a client of three servers. */
@Tag("proof")
@RedisTest(servers = 3)
@ParameterizedClass
@EnumSource(names = {"HANDLE", "HANDLE_READ", "HANDLE_WRITE"})
class HandleQuorumLockTest extends LockContract implements OnServers {

    HandleQuorumLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
