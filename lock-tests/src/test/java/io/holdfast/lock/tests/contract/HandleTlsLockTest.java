package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, on a server that is reached by TLS. */
@Tag("proof")
@RedisTest(tls = TlsMode.SERVER)
@ParameterizedClass
@EnumSource(names = "HANDLE")
class HandleTlsLockTest extends LockContract implements OnServers {

    HandleTlsLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
