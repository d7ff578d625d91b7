package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of a server that is reached by TLS. */
@Tag("proof")
@RedisTest(tls = TlsMode.SERVER)
@ParameterizedClass
@EnumSource(names = {"THREAD", "ASYNC"})
class TlsLockTest extends ReentrantLockContract implements OnServers {

    TlsLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
