package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, on a server that wants a certificate of the client. */
@Tag("proof")
@RedisTest(tls = TlsMode.MUTUAL)
@ParameterizedClass
@EnumSource(names = "HANDLE")
class HandleMutualTlsLockTest extends LockContract implements OnServers {

    HandleMutualTlsLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
