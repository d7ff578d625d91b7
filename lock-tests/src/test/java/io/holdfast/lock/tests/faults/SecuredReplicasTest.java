package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerTls;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.TrustedTls;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary and a replica by TLS: the questions that find the primary go by TLS too. */
@Tag("proof")
class SecuredReplicasTest {

    private final Certificates authority = Certificates.newAuthority();

    @Test
    void thePrimaryIsFoundByTls() {
        try (RedisServer first = server();
                RedisServer second = server();
                RawRedis raw = first.connect();
                RawRedis ofSecond = second.connect()) {
            // Among themselves they are plain.
            ofSecond.command(
                    "REPLICAOF", first.host(), raw.list("CONFIG", "GET", "port").get(1));
            await().until(() -> ofSecond.info("replication")
                    .getOrDefault("master_link_status", "")
                    .equals("up"));
            String url = "rediss-replicas://" + second.host() + ":" + second.port() + "," + first.host() + ":"
                    + first.port();
            try (LockClient client = LockClient.connect(
                    url, TrustedTls.options(first, Clients.quick().build()))) {
                RLock lock = client.getLock("secured");
                lock.lock();
                assertThat(raw.list("KEYS", "*")).isNotEmpty();
                lock.unlock();
            }
        }
    }

    private RedisServer server() {
        return RedisServer.builder()
                .tls(new ServerTls(authority, authority.server("127.0.0.1"), false))
                .start();
    }
}
