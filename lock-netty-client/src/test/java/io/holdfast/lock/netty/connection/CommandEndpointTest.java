package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.ServerRun;
import java.net.SocketAddress;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What is left of an endpoint when its event loop has ended under it. */
class CommandEndpointTest {
    private final FakeRuntime runtime = new FakeRuntime();
    private final IoLoops loops = IoLoops.open(IoTransport.NIO, 1, Executors.defaultThreadFactory());
    private final CommandEndpoint endpoint =
            new CommandEndpoint(TestNode.settings("redis://127.0.0.1:1"), runtime, loops, new Nobody());

    @Test
    void everyCallHasAnAnswerAlsoWhenNoThreadIsLeftToServeIt() {
        loops.shutdown();
        await().until(() -> endpoint.loop().isTerminated());

        for (int i = 0; i < 3; i++) {
            Probe call = new Probe(TestNode.ECHO, "key", "call " + i, runtime.nanos() + 1_000_000_000);
            endpoint.send(call);

            assertThat(call.outcome).as("call " + i).isDone();
            assertThat(call.fault().kind()).isEqualTo(Kind.CLOSED);
            assertThat(call.fault().maybeApplied()).isFalse();
        }
    }

    private static final class Nobody implements EndpointListener {

        @Override
        public void up(ServerRun run, ServerIdentity identity, SocketAddress address) {}

        @Override
        public void down(Fault fault) {}

        @Override
        public void failed(Fault fault) {}
    }
}
