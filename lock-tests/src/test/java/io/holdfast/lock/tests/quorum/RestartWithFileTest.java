package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 45: servers that keep an append-only file remember what they granted, and count as soon as they are back. */
@Tag("proof")
@RedisTest(servers = 3, aof = true, freshPerTest = true)
class RestartWithFileTest extends QuorumTest {

    @Test
    void serversThatRememberCountForOldAndNewClientsAtOnce() throws Exception {
        LockClient holder = warm(connectQuorum());
        LockClient before = warm(connectQuorum());
        LockHold hold = holder.getLock(NAME).withLease(Duration.ofSeconds(30)).acquire();
        servers.subList(0, 2).forEach(RedisServer::kill);
        servers.subList(0, 2).forEach(RedisServer::restart);
        LockClient later = connectQuorum();

        assertThat(before.getLock(NAME).tryAcquire(Duration.ofSeconds(1))).isEmpty();
        assertThat(later.getLock(NAME).tryAcquire(Duration.ZERO)).isEmpty();

        hold.close();
        before.getLock(NAME).withLease(Duration.ofSeconds(5)).acquire().close();
        later.getLock(NAME).withLease(Duration.ofSeconds(5)).acquire().close();
    }
}
