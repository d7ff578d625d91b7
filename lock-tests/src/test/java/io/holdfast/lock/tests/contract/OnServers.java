package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.ServerGround;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A contract that is held against real servers. */
@RedisTest
interface OnServers {

    /** What the locks are made of. */
    Site.Kind kind();

    @BeforeEach
    default void open(RedisServers servers) {
        ((LockContract) this).begin(new ServerGround(servers, kind()));
    }

    @AfterEach
    default void close() throws Exception {
        ((LockContract) this).end();
    }
}
