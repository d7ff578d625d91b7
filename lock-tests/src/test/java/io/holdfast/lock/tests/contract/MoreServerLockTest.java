package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Locks of one server: further kinds, keys, clients and users. */
@Tag("proof")
@ParameterizedClass
@CsvSource({
    "THREAD_READ, SINGLE",
    "THREAD_WRITE, SINGLE",
    "THREAD_REDISSON, SINGLE",
    "THREAD, ASKING",
    "THREAD, NARROW",
    "THREAD, RESP2",
    "THREAD, SOCKET",
    "ASYNC_FAIR, SINGLE",
    "ASYNC_READ, SINGLE",
    "ASYNC_WRITE, SINGLE",
    "ASYNC_REDISSON, SINGLE",
    "ASYNC, ASKING",
    "ASYNC, NARROW",
    "ASYNC, RESP2",
    "ASYNC, SOCKET",
    "FENCED, FENCED",
    "FENCED_REDISSON, FENCED",
    "FENCED_ASYNC_REDISSON, FENCED"
})
class MoreServerLockTest extends ReentrantLockContract implements OnServers {

    private final Site.Kind kind;

    MoreServerLockTest(LockCase lock, Site.Kind kind) {
        super(lock);
        this.kind = kind;
    }

    @Override
    public Site.Kind kind() {
        return kind;
    }
}
