package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Party;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds that are their own owners, on the keys of Redisson. */
@Tag("proof")
class HandleRedissonSchemeLockTest extends LockContract implements OnServers {

    HandleRedissonSchemeLockTest() {
        super(LockForm.HANDLE, KeyScheme.REDISSON);
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
