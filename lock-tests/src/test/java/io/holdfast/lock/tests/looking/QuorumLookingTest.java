package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looking at locks that a majority keeps. */
@RedisTest(servers = 3, freshPerTest = true)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuorumLookingTest extends ServerTest {

    private static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(500)).build();

    private LockClient connectQuorum() {
        ClientOptions options = ClientOptions.builder()
                .commandTimeout(Duration.ofSeconds(1))
                .applicationName("the shop")
                .build();
        return closing(
                LockClient.connectQuorum(servers.stream().map(RedisServer::url).toList(), options, PATIENT));
    }

    @Test
    void aLockIsWhatAMajorityHasAndItsHolderIsKnown() throws Exception {
        LockClient client = connectQuorum();
        LockClient other = connectQuorum();
        LockHold hold = client.getLock("stock").acquire();
        raw.command("HSET", "holdfast:{left behind}", "x:1:1", "1");
        raw.command("PEXPIRE", "holdfast:{left behind}", "20000");
        String record = "holdfast:client:{" + client.id() + "}";
        eventually(() -> assertThat(raws).allMatch((RawRedis node) -> node.integer("EXISTS", record) == 1));
        List<LockInfo> seen = all(other, LockQuery.all());
        assertThat(seen).extracting(LockInfo::name).containsExactly("stock");
        LockInfo.Holder holder = seen.get(0).holders().get(0);
        assertThat(holder.fencingToken()).hasValue(hold.fencingToken());
        assertThat(holder.client().map(ClientInfo::application)).contains("the shop");
        assertThat(other.inspect("stock").holders().get(0).client()).isEqualTo(holder.client());
        hold.close();
        client.close();
        assertThat(raws).allMatch((RawRedis node) -> node.integer("EXISTS", record) == 0);
        raw.command("DEL", "holdfast:{left behind}");
    }

    /** One that hangs costs its time once, and not with each page. */
    @Tag("proof")
    @Test
    void aNodeThatHangsOrIsGoneIsAskedOnce() throws Exception {
        LockClient client = connectQuorum();
        List<LockHold> held = IntStream.range(0, 100)
                .mapToObj(i -> Futures.get(client.getLock("lock " + i).acquireAsync()))
                .toList();
        LockQuery query = LockQuery.all().withPageSize(10);
        servers.get(1).pause();
        long begun = System.nanoTime();
        assertThat(all(client, query)).hasSize(100);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
        servers.get(1).resume();
        held.forEach(LockHold::close);
        servers.get(2).kill();
        servers.get(0).pause();
        assertThatThrownBy(() -> all(client, query))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("locks of LockQuery{");
        servers.get(0).resume();
    }

    @Test
    void theHoldOfARedLockIsOneOfOneClient() throws Exception {
        List<LockClient> clients = servers.stream()
                .map(server -> closing(LockClient.connect(server.url())))
                .toList();
        LockHold hold = RedLock.of(
                        clients.stream().map(client -> client.getLock("stock")).toArray(RLock[]::new))
                .acquire();
        assertThat(clients.stream().flatMap(client -> client.holds().stream()))
                .extracting(HeldLock::name)
                .containsExactly("stock");
        hold.close();
        assertThat(clients).allMatch(client -> client.holds().isEmpty());
    }

    private static List<LockInfo> all(LockClient client, LockQuery query) {
        try (Stream<LockInfo> locks = client.locks(query)) {
            return locks.toList();
        }
    }
}
