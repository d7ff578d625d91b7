package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.ServerGround;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** On a real server. */
@RedisTest
class ElectionTest extends OrderedElectionContract {

    @BeforeEach
    void open(RedisServers servers) {
        begin(new ServerGround(servers, Site.Kind.SINGLE));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
