package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds as objects, by TLS. */
@Tag("proof")
@RedisTest(tls = TlsMode.SERVER)
class HandleTlsLockTest extends LockContract implements OnServers {

    HandleTlsLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
