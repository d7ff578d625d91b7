package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds as objects, in RESP2. */
@Tag("proof")
class HandleResp2LockTest extends LockContract implements OnServers {

    HandleResp2LockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.RESP2;
    }
}
