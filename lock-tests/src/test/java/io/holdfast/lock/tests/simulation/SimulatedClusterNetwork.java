package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.cluster.ClusterNetwork;
import io.holdfast.lock.netty.connection.EndpointListener;
import io.holdfast.lock.netty.connection.Inquiry;
import io.holdfast.lock.netty.connection.NodeCalls;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.ServerIdentity;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.pubsub.NodeMessages;
import io.holdfast.lock.netty.replication.ReplicaRounds;
import io.holdfast.lock.netty.replication.WaitKey;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What is between a client of the simulated world and the nodes of a cluster. The client's own part, which decides where calls
 * go, is that of the production transport.
 */
final class SimulatedClusterNetwork implements ClusterNetwork {

    private static final long QUESTION_NANOS = TimeUnit.MILLISECONDS.toNanos(750);
    private static final long LOOKS_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A connection, a login and a question. */
    private static final int QUESTION_TRIPS = 4;

    private final SimulatedClient client;
    private final SimulatedCluster cluster;
    private final boolean fences;
    final List<CommandLink> commands = new ArrayList<>();
    final List<MessageLink> messages = new ArrayList<>();

    /** @param fences whether the servers allow a client to kill its own old connections */
    SimulatedClusterNetwork(SimulatedClient client, SimulatedCluster cluster, boolean fences) {
        this.client = client;
        this.cluster = cluster;
        this.fences = fences;
    }

    private Route newRoute() {
        return new Route(client.world, client.network, client.climate.far(client.index));
    }

    @Override
    public NodeCalls calls(Target.Host node, Room room, Traffic traffic, EndpointListener listener) {
        SimulatedServer server = cluster.at(node);
        CommandLink link =
                new CommandLink(client, server, newRoute(), fences, room, traffic, new CommandLink.Listener() {
                    @Override
                    public void up(ServerRun run) {
                        ServerIdentity identity =
                                new ServerIdentity(server.runId(), server.upSeconds(), false, 1, "", true, true);
                        listener.up(run, identity, InetSocketAddress.createUnresolved(node.host(), node.port()));
                    }

                    @Override
                    public void down(Fault fault) {
                        listener.down(fault);
                    }

                    @Override
                    public void unreachable(Fault fault) {
                        listener.failed(fault);
                    }
                });
        commands.add(link);
        return link;
    }

    @Override
    public NodeMessages messages(Target.Host node, Consumer<RespValue> moved) {
        MessageLink link = new MessageLink(client, cluster.at(node), newRoute(), moved);
        messages.add(link);
        return new NodeMessages() {
            @Override
            public Subscription subscribe(byte[] channel, Wakeup wakeup) {
                return link.subscribe(channel, wakeup, false);
            }

            @Override
            public Subscription subscribeAsking(byte[] channel, Wakeup wakeup) {
                return link.subscribe(channel, wakeup, true);
            }

            @Override
            public void follow(SocketAddress address, boolean nowSharded) {
                // A simulated host has one address, and all of them are of the same version.
            }

            @Override
            public boolean isWanted() {
                return link.topics() > 0;
            }

            @Override
            public void rest(String why) {
                if (!isWanted()) {
                    link.rest(new Fault(Fault.Kind.CLOSED, false, link.server.name, why));
                }
            }

            @Override
            public Stream<NodeConnection> look() {
                return Stream.empty();
            }

            @Override
            public CompletionStage<Void> close() {
                link.end();
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    @Override
    public ReplicaRounds replicas(Target.Host node, Wish wish, WaitKey key) {
        throw new UnsupportedOperationException("no replica is asked in the simulated cluster");
    }

    @Override
    public Whereabouts.Search ask(
            Target.Host node, boolean isSeed, boolean anew, Inquiry.Asker asker, String... question) {
        Question asked = new Question(cluster.at(node), asker);
        asked.begin();
        return asked;
    }

    @Override
    public boolean isOverTls() {
        return false;
    }

    /** Rule 98: what is written to a node is the only thing of its slot that is under way, but at that node. */
    void judgeOrder(SimulatedServer node, Request request) {
        ScriptCall call = Objects.requireNonNull(request.call, "a request without a call");
        for (CommandLink link : commands) {
            if (link.server != node && link.hasInFlight(call.slot)) {
                client.world.fail(
                        "ORD",
                        client.name + ": " + request + " is written to " + node.name + ", but " + link.server.name
                                + " has not answered all that it was sent of slot " + call.slot);
            }
        }
    }

    /** One of the ways to nodes that there are, for trouble. */
    Route anyRoute(Chance chance) {
        return commands.isEmpty() ? newRoute() : commands.get(chance.below(commands.size())).route;
    }

    void endAnyConnection(Chance chance) {
        if (!commands.isEmpty()) {
            commands.get(chance.below(commands.size())).breakOff("cut");
        }
    }

    int open() {
        return commands.stream().mapToInt(CommandLink::open).sum();
    }

    void heal() {
        commands.forEach(link -> link.route.heal());
        messages.forEach(link -> link.route.heal());
    }

    void crash() {
        commands.forEach(CommandLink::crash);
        messages.forEach(MessageLink::crash);
    }

    /** For the map, on a connection of its own. */
    private final class Question implements Whereabouts.Search {

        private final SimulatedServer server;
        private final Inquiry.Asker asker;
        private final Route route = newRoute();
        private final long askedNanos = client.world.nanos();
        private boolean over;

        Question(SimulatedServer server, Inquiry.Asker asker) {
            this.server = server;
            this.asker = asker;
        }

        void begin() {
            long trips = 0;
            for (int i = 0; i < QUESTION_TRIPS; i++) {
                trips += route.latency();
            }
            client.world.after(trips, client, this::arrive);
        }

        private void arrive() {
            if (over) {
                return;
            }
            if (!server.isUp()) {
                fail("connection refused");
            } else if (server.readsAt() <= client.world.nanos()) {
                RespValue map = server.slots().map();
                client.world.after(route.latency(), client, () -> answered(map));
            } else if (client.world.nanos() - askedNanos > QUESTION_NANOS) {
                fail("no answer in time");
            } else {
                client.world.after(LOOKS_AGAIN_NANOS, client, this::arrive);
            }
        }

        private void answered(RespValue map) {
            if (!over) {
                over = true;
                SocketAddress from = InetSocketAddress.createUnresolved(server.name, SimulatedCluster.PORT);
                asker.answered(new Inquiry.Answers(List.of(map), from, askedNanos, client.world.nanos()));
            }
        }

        private void fail(String why) {
            over = true;
            asker.failed(new Fault(Fault.Kind.UNREACHABLE, false, server.name, why));
        }

        @Override
        public void cancel() {
            over = true;
        }

        @Override
        public String toString() {
            return "the map, asked of " + server.name;
        }
    }
}
