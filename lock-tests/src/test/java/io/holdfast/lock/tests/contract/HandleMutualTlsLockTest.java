package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds as objects, by TLS with certificates on both sides. */
@Tag("proof")
@RedisTest(tls = TlsMode.MUTUAL)
class HandleMutualTlsLockTest extends LockContract implements OnServers {

    HandleMutualTlsLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
