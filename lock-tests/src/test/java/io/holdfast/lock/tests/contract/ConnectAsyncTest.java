package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Clients that are connected without blocking, or by a thread that is interrupted. */
@RedisTest(servers = 3)
class ConnectAsyncTest extends ServerTest {

    private static final ClientOptions QUICK =
            ClientOptions.builder().connectTimeout(Duration.ofMillis(500)).build();

    @Test
    void aClientIsConnectedAndItsDependentsMayBlock() {
        boolean taken = Futures.get(LockClient.connectAsync(redis.url()).thenApply(client -> {
            closing(client);
            return client.getLock("a").tryLock() && client.getLock("a").forceUnlock();
        }));
        assertThat(taken).isTrue();
    }

    @Test
    void aLazyClientIsThereAtOnce() {
        ClientOptions lazy = ClientOptions.builder().lazy(true).build();
        LockClient client = closing(Futures.get(LockClient.connectAsync(redis.url(), lazy)));
        assertThat(client.getLock("a").isLocked()).isFalse();
    }

    @Test
    void aQuorumIsConnected() {
        LockClient client =
                closing(Futures.get(LockClient.connectQuorumAsync(urls(), QUICK, QuorumOptions.defaults())));
        assertThat(client.getLock("a").isLocked()).isFalse();
    }

    @Test
    void anAddressWithoutAServerFailsTheFuture() {
        assertThatThrownBy(() -> Futures.get(LockClient.connectAsync("redis://127.0.0.1:1", QUICK)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1");
        List<String> dead = List.of("redis://127.0.0.1:1", "redis://127.0.0.1:2", redis.url());
        assertThatThrownBy(() -> Futures.get(LockClient.connectQuorumAsync(dead, QUICK, QuorumOptions.defaults())))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("no majority");
    }

    @Test
    void twoAddressesOfOneServerFailTheFuture() {
        List<String> same = List.of(redis.url(), redis.url(), servers.get(1).url());
        assertThatThrownBy(() -> Futures.get(LockClient.connectQuorumAsync(same, QUICK, QuorumOptions.defaults())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same server");
    }

    @Test
    void aFutureThatIsCancelledLeavesNoClient() {
        CompletableFuture<LockClient> cancelled = LockClient.connectAsync(redis.url(), QUICK);
        cancelled.cancel(true);
        CompletableFuture<LockClient> failing = LockClient.connectAsync("redis://127.0.0.1:1", QUICK);
        failing.cancel(true);
        assertThat(List.of(cancelled, failing)).allMatch(CompletableFuture::isDone);
    }

    @Test
    void anInterruptEndsTheConnectingAndTheFlagStays() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            String url = "redis://127.0.0.1:" + silent.getLocalPort();
            for (ThrowingCallable connecting : List.<ThrowingCallable>of(
                    () -> LockClient.connect(url), () -> LockClient.connectQuorum(url, url + "/1", url + "/2"))) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(connecting)
                        .isInstanceOfSatisfying(LockUnavailableException.class, given -> assertThat(given.reason())
                                .isEqualTo(FailureReason.WITHDRAWN))
                        .hasMessageContaining("127.0.0.1:" + silent.getLocalPort());
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    private List<String> urls() {
        return servers.stream().map(RedisServer::url).toList();
    }
}
