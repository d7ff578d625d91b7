package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A name that has moved, while the address that is remembered of it is the old one. */
class MovedNameTest {

    private static final String READONLY = "-READONLY You can't write against a read only replica.\r\n";

    @Test
    void afterAServerHasCalledItselfReplicaTheMemoryIsNotBelieved() throws IOException {
        AtomicBoolean demoted = new AtomicBoolean();
        try (FakeServer old = FakeServer.start(
                        address(1),
                        0,
                        command -> demoted.get() && command.get(0).equals("EVALSHA")
                                ? READONLY
                                : FakeServer.answerTo(command, "+old\r\n"));
                FakeServer promoted = FakeServer.start(
                        address(2), old.port(), command -> FakeServer.answerTo(command, "+promoted\r\n"));
                TestNode node = TestNode.connect(settings(promoted.port()))) {
            assertThat(node.echo("x").await()).isEqualTo("old");
            demoted.set(true);
            node.echo("x").await();
            await().until(() -> node.news.size() == 3);
            assertThat(node.echo("x").await()).isEqualTo("promoted");
        }
    }

    @Test
    void afterAFailedAttemptTheMemoryIsNotBelieved() throws IOException {
        try (FakeServer promoted =
                        FakeServer.start(address(2), 0, command -> FakeServer.answerTo(command, "+promoted\r\n"));
                TestNode node = TestNode.connect(settings(promoted.port()))) {
            assertThat(node.echo("x").await()).isEqualTo("promoted");
        }
    }

    private static ConnectionSettings settings(int port) {
        return TestNode.settings("redis://redis.example:" + port, new Remembering());
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException wrongLength) {
            throw new IllegalArgumentException(wrongLength);
        }
    }

    private static final class Remembering implements NameService {

        @Override
        public List<InetAddress> addresses(String host) {
            return List.of(address(1));
        }

        @Override
        public List<InetAddress> addressesNow(String host) {
            return List.of(address(2));
        }
    }
}
