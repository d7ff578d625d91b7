package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
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
        ServerTls tls = new ServerTls(authority, authority.server("127.0.0.1"), false);
        try (ReplicatedPair pair = ReplicatedPair.start(1, builder -> builder.tls(tls));
                RawRedis raw = pair.primary().connect()) {
            RedisServer second = pair.replicas().get(0);
            String url = "rediss-replicas://" + second.host() + ":" + second.port() + ","
                    + pair.primary().host() + ":" + pair.primary().port();
            try (LockClient client = LockClient.connect(
                    url, TrustedTls.options(pair.primary(), Clients.quick().build()))) {
                RLock lock = client.getLock("secured");
                lock.lock();
                assertThat(raw.list("KEYS", "*")).isNotEmpty();
                lock.unlock();
            }
        }
    }
}
