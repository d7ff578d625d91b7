package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.Frame;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.history.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows 24 to 26: packets vanish, or everything is slow. Rows 24 and 26 are played in a network of their own. */
final class NetworkRows {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    private NetworkRows() {}

    static void halfOpen(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(LEASE));
        LockClient client = stage.client(server.url());
        Actor owner = stage.actor("owner", client, Clients.watchdog(LEASE));
        Actor brief = stage.actor("brief", client, Clients.watchdog(SHORT_LEASE));
        Actor caller = stage.actor("caller", client);
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(10);
            Actor.Held held = ServerRows.granted(owner, "held");
            List<String> ports = clientPorts(stage.raw(server));
            PacketFilter filter = new PacketFilter();
            stage.trouble("packets of present connections dropped", () -> {
                for (String port : ports) {
                    filter.drop("--sport", Integer.toString(server.port()), "--dport", port);
                    filter.drop("--sport", port, "--dport", Integer.toString(server.port()));
                }
                long dropped = System.nanoTime();
                stage.await("the dead peer is found and replaced", Duration.ofSeconds(6), () -> isGranted(caller));
                stage.note("a new connection was at work after " + Stage.millisSince(dropped) + " ms");
                load.awaitGrants(10);
            });
            stage.bite(filter.dropped(), "packets dropped on " + ports.size() + " connections");
            filter.clear();
            stage.expect(held.look(), "LV", "the hold was lost although new connections worked");
            held.release();

            Actor.Held dropped = ServerRows.granted(brief, "held");
            stage.fault("all packets dropped", () -> {
                filter.drop("--dport", Integer.toString(server.port()));
                filter.drop("--sport", Integer.toString(server.port()));
                awaitLoss(stage, dropped);
                stage.bite(filter.dropped(), "packets dropped on all connections: the loss was told");
            });
            filter.clear();
            dropped.release();
            load.awaitGrants(5);

            Actor.Held routed = ServerRows.granted(brief, "held");
            long start = System.nanoTime();
            stage.fault("blackhole route", () -> {
                filter.blackhole(server.port());
                awaitLoss(stage, routed);
                stage.bite(1, "blackhole route: the loss was told after " + Stage.millisSince(start) + " ms");
                filter.endBlackhole();
            });
            routed.release();
        }
        load.awaitGrants(10);
        load.stop();
        load.shut();
        stage.closeClients();
        dropDead(stage, server);
    }

    /** The ends of connections were dropped like everything else, so the server still believes in some. */
    private static void dropDead(Stage stage, RedisServer server) {
        RawRedis raw = stage.raw(server);
        long dead = 0;
        for (Map<String, String> connection : raw.clients()) {
            if (connection.getOrDefault("name", "").startsWith("chaos")) {
                dead += raw.integer("CLIENT", "KILL", "ID", connection.get("id"));
            }
        }
        stage.note(dead + " dead connections were still listed by the server when all clients were closed");
    }

    private static void awaitLoss(Stage stage, Actor.Held held) throws InterruptedException {
        stage.await(
                "the loss is told",
                SHORT_LEASE.plusMillis(1_500),
                () -> held.hold().state() == HoldState.LOST);
    }

    private static boolean isGranted(Actor caller) {
        Actor.Held held = caller.tryLock("mine", Duration.ofMillis(100));
        return held != null && held.release() == Outcome.OK;
    }

    private static List<String> clientPorts(RawRedis raw) {
        return raw.clients().stream()
                .filter(client -> client.getOrDefault("name", "").startsWith("chaos"))
                .map(client -> client.get("addr").replaceFirst(".*:", ""))
                .toList();
    }

    static void lossy(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(LEASE).waiting(Duration.ofSeconds(4)));
        load.awaitGrants(10);
        String port = Integer.toString(server.port());
        PacketFilter filter = new PacketFilter();
        for (int percent : stage.brief ? List.of(15) : List.of(10, 15, 20)) {
            stage.fault(percent + " % of packets lost", () -> {
                filter.dropSome(percent / 100.0, "--dport", port);
                filter.dropSome(percent / 100.0, "--sport", port);
                int before = stage.journal.grants();
                stage.during(stage.rounds(6_000, 12_000));
                int during = stage.journal.grants() - before;
                stage.note(during + " grants at " + percent + " % loss");
                stage.expect(during > 0, "LV", "nothing was granted at " + percent + " % loss");
            });
            stage.bite(filter.dropped(), "packets lost at " + percent + " %");
            filter.clear();
        }
        load.awaitGrants(20);
    }

    static void slow(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(
                stage.plan(server.url()).watchdog(LEASE),
                stage.plan(proxy.url()).watchdog(LEASE));
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(10);
            stage.fault("DEBUG SLEEP", () -> raw.command("DEBUG", "SLEEP", "0.7"));
            load.awaitGrants(10);
            stage.fault("CLIENT PAUSE", () -> {
                raw.command("CLIENT", "PAUSE", "700", "ALL");
                stage.during(700);
            });
            load.awaitGrants(10);
            int before = stage.journal.grants();
            long start = System.nanoTime();
            stage.fault("narrow link", () -> {
                proxy.onRequest(NetworkRows::narrow);
                proxy.onReply(NetworkRows::narrow);
                stage.during(2_000);
                proxy.heal();
            });
            stage.bite(
                    3,
                    "kinds of slowness; " + (stage.journal.grants() - before) + " grants in " + Stage.millisSince(start)
                            + " ms with one of two processes behind a link of 20 bytes/ms");
        }
        slowCalls(stage);
    }

    /** How long calls took that met the fault. */
    private static void slowCalls(Stage stage) {
        Map<String, Long> ended = new HashMap<>();
        stage.journal.all(Seen.Answered.class).forEach(answer -> ended.put(answer.id(), answer.nanos()));
        long slow = stage.journal.all(Seen.Asked.class).stream()
                .filter(call -> ended.containsKey(call.id()))
                .filter(call -> ended.get(call.id()) - call.nanos() > 400_000_000L)
                .count();
        stage.expect(slow > 0, "row", "no call was slow");
        stage.note(slow + " calls took longer than 400 ms");
    }

    /** A link of 20 bytes a millisecond, as far as messages one after the other are concerned. */
    private static FrameFate narrow(Frame message) {
        return FrameFate.delayed(Duration.ofMillis(1 + message.size() / 20));
    }
}
