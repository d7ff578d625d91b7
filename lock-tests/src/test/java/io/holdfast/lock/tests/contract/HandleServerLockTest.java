package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds that are their own owners, on one server: further kinds, keys, clients and users. */
@Tag("proof")
@ParameterizedClass
@CsvSource({
    "HANDLE_FAIR, SINGLE",
    "HANDLE_READ, SINGLE",
    "HANDLE_WRITE, SINGLE",
    "HANDLE_REDISSON, SINGLE",
    "HANDLE, ASKING",
    "HANDLE, NARROW",
    "HANDLE, RESP2",
    "HANDLE, SOCKET"
})
class HandleServerLockTest extends LockContract implements OnServers {

    private final Site.Kind kind;

    HandleServerLockTest(LockCase lock, Site.Kind kind) {
        super(lock);
        this.kind = kind;
    }

    @Override
    public Site.Kind kind() {
        return kind;
    }
}
