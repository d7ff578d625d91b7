package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of a server that wants a certificate of the client. */
@Tag("proof")
@RedisTest(tls = TlsMode.MUTUAL)
@ParameterizedClass
@EnumSource(names = {"THREAD", "ASYNC"})
class MutualTlsLockTest extends ReentrantLockContract implements OnServers {

    MutualTlsLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
