package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.address.HostWhereabouts;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.SystemNames;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.ConnectionNews;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.credentials.FixedLogins;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One answer of a handshake too few, or too many: what follows is not answered with another's answer (rule 70). */
@RedisTest
class HandshakeInStepTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aHandshakeThatLacksAnAnswerIsNotFinished(int which, RedisServer server) {
        try (FaultProxy proxy = proxy(server, which, FrameFate.DROP);
                TestNode node = TestNode.lazy(impatient(proxy.url()))) {
            assertThat(node.send(TestNode.ECHO, "key", "own", PATIENCE).await()).isEqualTo("own");
            assertThat(proxy.accepted()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aDoubledAnswerOfAHandshakeIsFoundAtTheNextOne(int which, RedisServer server) {
        try (FaultProxy proxy = proxy(server, which, FrameFate.TWICE);
                TestNode node = TestNode.lazy(impatient(proxy.url()))) {
            for (int i = 0; i < 10; i++) {
                Probe probe = node.send(TestNode.ECHO, "key", "own " + i, PATIENCE);
                if (!(probe.await() instanceof Fault fault)) {
                    assertThat(probe.await()).isEqualTo("own " + i);
                } else {
                    assertThat(fault.maybeApplied()).isTrue();
                }
            }
            assertThat(proxy.accepted()).isEqualTo(2);
        }
    }

    /** An attempt to connect has a second. */
    private static ConnectionSettings impatient(String url) {
        RedisUri uri = RedisUri.parse(url);
        return new ConnectionSettings(
                uri,
                new FixedLogins(null, null),
                "test",
                null,
                new HostWhereabouts((Target.Host) uri.target(), new SystemNames(), "test"),
                TimeUnit.SECONDS.toNanos(1),
                TimeUnit.SECONDS.toNanos(3),
                TimeUnit.SECONDS.toNanos(2),
                TimeUnit.MILLISECONDS.toNanos(10),
                TimeUnit.MILLISECONDS.toNanos(200),
                100,
                RespLimits.DEFAULT,
                new ConnectionNews());
    }

    /** Does something to one reply of the first connection. */
    private static FaultProxy proxy(RedisServer server, int which, FrameFate fate) {
        FaultProxy proxy = FaultProxy.to(server);
        AtomicInteger replies = new AtomicInteger();
        proxy.onReply(reply -> reply.connection() == 1 && replies.incrementAndGet() == which ? fate : FrameFate.PASS);
        return proxy;
    }
}
