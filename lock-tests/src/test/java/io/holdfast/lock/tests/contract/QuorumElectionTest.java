package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.ServerGround;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** On three real servers, of which a majority decides. */
@Tag("proof")
@RedisTest(servers = 3)
class QuorumElectionTest extends ElectionContract {

    @BeforeEach
    void open(RedisServers servers) {
        begin(new ServerGround(servers, Site.Kind.QUORUM));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
