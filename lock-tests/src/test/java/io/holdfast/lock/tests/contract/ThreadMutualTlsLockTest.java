package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, by TLS with certificates on both sides. */
@Tag("proof")
@RedisTest(tls = TlsMode.MUTUAL)
class ThreadMutualTlsLockTest extends ReentrantLockContract implements OnServers {

    ThreadMutualTlsLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SECURED;
    }
}
