package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.netty.topology.ConnectFailedException;
import io.holdfast.lock.netty.topology.ConnectableBackend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A node as a client opens it, from an address and options, and what its listeners heard. */
public final class ClientNode implements AutoCloseable {

    /** What the node said, in its order. */
    public final List<String> news = new CopyOnWriteArrayList<>();

    public final ConnectableBackend node;

    private ClientNode(String url, ClientOptions options) {
        node = ClientConnections.open(List.of(ServerAddresses.of(url, options)), options)
                .get(0);
        node.listen(new NodeListener() {
            @Override
            public void up(String address, ServerRun run) {
                news.add("up " + run.place());
            }

            @Override
            public void down(String address, Fault fault) {
                news.add("down " + fault.kind());
            }
        });
    }

    /** Time-outs for a busy machine, and pauses that are no longer than a test wants them. */
    public static ClientOptions.Builder options() {
        return ClientOptions.builder()
                .clientName("test")
                .connectTimeout(Duration.ofSeconds(60))
                .commandTimeout(Duration.ofSeconds(20))
                .heartbeat(Duration.ofSeconds(20))
                .backoffMin(Duration.ofMillis(10))
                .backoffMax(Duration.ofMillis(200));
    }

    /** A node that connects when it is used. */
    public static ClientNode lazy(String url, ClientOptions options) {
        return new ClientNode(url, options);
    }

    /** A node that is connected, within a minute. */
    public static ClientNode connect(String url, ClientOptions options) {
        ClientNode node = lazy(url, options);
        try {
            node.connecting().orTimeout(60, TimeUnit.SECONDS).join();
            return node;
        } catch (RuntimeException | Error failed) {
            node.close();
            throw failed;
        }
    }

    /** Why a node can't be connected, which it has to find out within a minute. */
    public static Fault refusal(String url, ClientOptions options) {
        try (ClientNode node = lazy(url, options)) {
            node.connecting().orTimeout(60, TimeUnit.SECONDS).join();
            throw new AssertionError("connected");
        } catch (CompletionException failed) {
            return ((ConnectFailedException) failed.getCause()).fault();
        }
    }

    public CompletableFuture<Void> connecting() {
        return node.connect().toCompletableFuture();
    }

    /** Sends a script that says its argument at a real server, and what a test likes at a fake one. */
    public Probe echo(String argument) {
        Probe probe = new Probe(TestNode.ECHO, "key", argument, System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
        node.send(probe);
        return probe;
    }

    public Subscription subscribe(String channel, Wakeup wakeup) {
        return node.subscribe(0, channel.getBytes(StandardCharsets.UTF_8), wakeup);
    }

    @Override
    public void close() {
        node.close(0).toCompletableFuture().join();
    }
}
