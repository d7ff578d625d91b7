package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.support.Party;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Test;

/** Holds that are their own owners. */
class HandleLockTest extends LockContract implements OnServers {

    HandleLockTest() {
        super(LockCase.HANDLE);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }

    @Test
    void aHandleIsNeverReEntrant() throws Exception {
        a.lock();
        Party sameThread = party(client);
        assertThat(sameThread.tryLock()).isFalse();
        a.unlock();
    }
}
