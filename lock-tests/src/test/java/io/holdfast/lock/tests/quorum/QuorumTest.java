package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** A test against five servers that may be hurt: every test has new ones, and those that hang go on at its end. */
@RedisTest(servers = 5, freshPerTest = true)
abstract class QuorumTest extends ServerTest {

    static final String NAME = "stock:42";

    /** A busy machine is no reason to do without a server. */
    static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(250)).build();

    @AfterEach
    void wakeTheHung() {
        servers.stream().filter(RedisServer::isAlive).forEach(RedisServer::resume);
    }

    // --- clients ---

    /** A client of all servers that notices trouble quickly. */
    final LockClient connectQuorum() {
        return connectQuorum(urls(), PATIENT);
    }

    final LockClient connectQuorum(List<String> urls, QuorumOptions quorum) {
        return connectQuorum(urls, Clients.quick(), quorum);
    }

    final LockClient connectQuorum(List<String> urls, ClientOptions.Builder options, QuorumOptions quorum) {
        return closing(LockClient.connectQuorum(urls, options.build(), quorum));
    }

    /** Lets every server learn the scripts: with what follows, all of them keep up. */
    final LockClient warm(LockClient client) throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            client.getLock("warm-up").withLease(Duration.ofSeconds(2)).acquire().close();
            awaitNothingLeft();
        }
        return client;
    }

    final List<String> urls() {
        return servers.stream().map(RedisServer::url).toList();
    }

    /** One client for each of some addresses. */
    final List<LockClient> connectEach(List<String> urls) {
        return urls.stream().map(url -> closing(Clients.connect(url))).toList();
    }

    /** A lock made of the locks of several clients. */
    static RLock composed(List<LockClient> clients, String name) {
        return RedLock.of(
                PATIENT, clients.stream().map(client -> client.getLock(name)).toList());
    }

    /** A way to each server that can be disturbed. */
    final List<FaultProxy> proxies() {
        return servers.stream().map(server -> closing(FaultProxy.to(server))).toList();
    }

    static List<String> urlsOf(List<FaultProxy> proxies) {
        return proxies.stream().map(FaultProxy::url).toList();
    }

    // --- the servers ---

    /** How many of the living servers that answer keep the lock. */
    static long keepers(Stream<RedisServer> among, String name) {
        return among.filter(server -> {
                    try (RawRedis connection = server.connect()) {
                        return Stored.exists(connection, name);
                    }
                })
                .count();
    }

    final void awaitKeepers(int count) {
        eventually(() -> assertThat(keepers(servers.stream(), NAME)).isEqualTo(count));
    }

    final void awaitNothingLeft() {
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    static void pause(List<RedisServer> some) {
        some.forEach(RedisServer::pause);
    }

    static void resume(List<RedisServer> some) {
        some.forEach(RedisServer::resume);
    }
}
