package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several clients of one cluster: that it is one is seen by its nodes, whichever of them each client was given. */
class ClusterClientsTest {

    @Test
    void aLockOfOneClusterIsOneLockWhicheverNodesItsClientsWereGiven() {
        try (ServerCluster cluster = ServerCluster.start(3, 0);
                ServerCluster another = ServerCluster.start(1, 0);
                LockClient first = connect(cluster.nodes().get(0));
                LockClient second = connect(cluster.nodes().get(1));
                LockClient elsewhere = connect(another.nodes().get(0))) {
            RLock lock = first.getLock("order");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MultiLock.of(lock, second.getLock("order")))
                    .withMessageContaining("lock 'order' at")
                    .withMessageContaining("is there twice, by two clients (expected: different locks)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedLock.of(lock, second.getLock("order"), elsewhere.getLock("order")))
                    .withMessageContaining("leads to one of several servers (expected: one server for each node");

            RLock both = MultiLock.of(lock, second.getLock("other"), elsewhere.getLock("order"));
            assertThat(both.tryLock()).isTrue();
            both.unlock();
        }
    }

    private static LockClient connect(RedisServer node) {
        return LockClient.connect(
                "redis-cluster://" + node.host() + ":" + node.port(),
                ClusterTest.patient().build());
    }

    @Test
    void whatAClusterDoesNotDoIsRefusedWithASentence() {
        ClientOptions guarded = ClientOptions.builder()
                .lazy(true)
                .failoverGuard(Duration.ofSeconds(30))
                .build();
        assertThatThrownBy(() -> LockClient.connect("redis-cluster://a,b", guarded))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("failoverGuard: cluster a:6379,b:6379 has no Sentinels that say which server is the"
                        + " primary (expected: a redis-sentinel:// address)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectQuorum("redis://a", "redis-cluster://b,c", "redis://d"))
                .withMessage("url number 2: address: leads to one of several servers (expected: one server for each"
                        + " node of a quorum, redis:// or unix://)");
    }
}
