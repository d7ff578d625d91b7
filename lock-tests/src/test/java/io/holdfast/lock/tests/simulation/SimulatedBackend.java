package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Vouching;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One server as a client of the simulated world sees it. */
final class SimulatedBackend implements Backend {

    final SimulatedServer server;
    final CommandLink commands;
    final MessageLink messages;
    private final SimulatedClient client;
    private @Nullable SimulatedReplication replication;
    private final List<NodeListener> listeners = new ArrayList<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    SimulatedBackend(SimulatedClient client, SimulatedServer server, boolean fences) {
        this.client = client;
        this.server = server;
        this.commands = new CommandLink(
                client,
                server,
                new Route(client.world, client.network, client.climate.far(client.index)),
                fences,
                new CommandLink.Listener() {
                    @Override
                    public void up(ServerRun run) {
                        listeners.forEach(listener -> listener.up(server.name, run));
                    }

                    @Override
                    public void down(Fault fault) {
                        listeners.forEach(listener -> listener.down(server.name, fault));
                    }

                    @Override
                    public void unreachable(Fault fault) {
                        listeners.forEach(listener -> listener.unreachable(server.name, fault));
                    }
                });
        this.messages = new MessageLink(
                client, server, new Route(client.world, client.network, client.climate.far(client.index)));
        commands.start();
    }

    @Override
    public void send(ScriptCall call) {
        commands.send(call);
    }

    @Override
    public void whenRoom(IntConsumer task) {
        commands.whenRoom(task);
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        return messages.subscribe(channel, wakeup);
    }

    @Override
    public Object shard(int slot) {
        return this;
    }

    @Override
    public ServerRun run() {
        return commands.run();
    }

    @Override
    public void listen(NodeListener listener) {
        client.world.after(0, client, () -> {
            listeners.add(listener);
            Fault failure = commands.lastFailure();
            if (commands.connection != null) {
                listener.up(server.name, commands.run());
            } else if (failure != null) {
                listener.unreachable(server.name, failure);
            }
        });
    }

    @Override
    public Replication replication(String key, int replicas, long timeoutNanos, boolean onDisk) {
        SimulatedReplication asked = new SimulatedReplication(client, server, replicas, timeoutNanos);
        replication = asked;
        return asked;
    }

    @Override
    public Vouching vouching(long silenceNanos) {
        SimulatedGroup group = server.group();
        return group == null ? Backend.super.vouching(silenceNanos) : group.vouching(client, this, silenceNanos);
    }

    /** From now on it leads to another server of its group. */
    void moveTo(SimulatedServer next) {
        commands.moveTo(next);
        messages.moveTo(next);
    }

    @Override
    public Runtime runtime() {
        return client.runtime;
    }

    @Override
    public String describe() {
        return server.name;
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        messages.end();
        if (replication != null) {
            replication.close();
        }
        commands.close(graceNanos).thenRun(() -> closed.complete(null));
        return closed;
    }

    @Override
    public String toString() {
        return server.name;
    }
}
