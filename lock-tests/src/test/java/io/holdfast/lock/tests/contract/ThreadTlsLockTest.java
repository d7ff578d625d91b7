package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, by TLS. */
@RedisTest(tls = TlsMode.SERVER)
@Tag("proof")
class ThreadTlsLockTest extends ReentrantLockContract implements OnServers {

    ThreadTlsLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
