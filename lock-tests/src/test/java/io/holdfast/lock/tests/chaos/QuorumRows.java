package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.ShiftedServer;
import io.holdfast.lock.tests.harness.Stored;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Row 45: RedLock over several servers, some of which are dead, hung, mute, far away, forgetful or wrong about the time. */
final class QuorumRows {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration SOON = Duration.ofSeconds(8);

    private QuorumRows() {}

    private static List<RedisServer> servers(Stage stage, int count) {
        for (int i = 0; i < count; i++) {
            stage.server();
        }
        return stage.servers();
    }

    private static String[] urls(List<RedisServer> servers) {
        return servers.stream().map(RedisServer::url).toArray(String[]::new);
    }

    static void minorityDown(Stage stage) throws Exception {
        List<RedisServer> servers = servers(stage, 5);
        PlayedLoad load = stage.load(
                stage.plan(urls(servers)).watchdog(LEASE).waiting(SOON).holding(20));
        // After its restart a server stays out for the longest lease, so always the same one dies.
        int dead = stage.random.nextInt(5);
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            int hung = (dead + 1 + stage.random.nextInt(4)) % 5;
            load.awaitGrants(10);
            stage.trouble("one of five stopped", () -> {
                servers.get(hung).pause();
                load.awaitGrants(10);
            });
            stage.trouble("one stopped, one killed", () -> {
                servers.get(dead).kill();
                int before = stage.journal.grants();
                long start = System.nanoTime();
                load.awaitGrants(10);
                stage.bite(
                        stage.journal.grants() - before,
                        "grants in " + Stage.millisSince(start) + " ms with one of five stopped and one killed");
                servers.get(hung).resume();
                servers.get(dead).restart();
            });
            load.awaitGrants(10);
            stage.fault("three of five stopped", () -> {
                List<RedisServer> three = servers.subList(0, 3);
                three.forEach(RedisServer::pause);
                stage.during(1_500);
                int before = stage.journal.grants();
                stage.during(1_000);
                stage.note((stage.journal.grants() - before) + " grants without a majority");
                three.forEach(RedisServer::resume);
            });
        }
        load.awaitGrants(10);
    }

    /** Three clients that ask at once, each near to other servers. */
    static void splitVote(Stage stage) throws Exception {
        List<RedisServer> servers = servers(stage, 5);
        List<Set<Integer>> near = List.of(Set.of(0, 1), Set.of(2, 3), Set.of(4));
        List<LockClient> clients = new ArrayList<>();
        for (Set<Integer> own : near) {
            List<FaultProxy> proxies = servers.stream().map(stage::proxy).toList();
            LockClient client =
                    stage.quorum(proxies.stream().map(FaultProxy::url).toList());
            client.getLock("first").withLease(Duration.ofSeconds(2)).acquire().close();
            clients.add(client);
            for (int i = 0; i < proxies.size(); i++) {
                if (!own.contains(i)) {
                    proxies.get(i).delayRequests(Duration.ofMillis(25));
                }
            }
        }
        PlayedLoad load = stage.load(
                stage.plan(urls(servers)).watchdog(LEASE).waiting(SOON).holding(20));
        load.awaitGrants(10);
        load.stop();
        int split = 0;
        int rounds = stage.rounds(10, 30);
        for (int round = 0; round < rounds; round++) {
            int[] won = new int[1];
            stage.trouble("2-2-1", () -> {
                List<LockHold> granted = new ArrayList<>();
                for (RFuture<Optional<LockHold>> attempt : everybody(clients, Duration.ZERO)) {
                    try {
                        attempt.get(10, TimeUnit.SECONDS).ifPresent(granted::add);
                    } catch (ExecutionException late) {
                        // On a busy machine too few may answer in time.
                        stage.expect(late.getCause() instanceof LockException, "ERR", "told " + late.getCause());
                    }
                }
                won[0] = granted.size();
                granted.forEach(LockHold::close);
            });
            stage.expect(won[0] <= 1, "ME", won[0] + " clients have won");
            split += won[0] == 0 ? 1 : 0;
            stage.await(
                    "nothing is left", SOON, () -> Leftovers.lockKeys(servers).isEmpty());
        }
        stage.bite(split, "of " + rounds + " single attempts of three clients ended without a winner");
        long start = System.nanoTime();
        List<RFuture<Optional<LockHold>>> waiting = new ArrayList<>(everybody(clients, SOON));
        long last = 0;
        while (!waiting.isEmpty()) {
            stage.await("somebody wins", SOON, () -> waiting.stream().anyMatch(RFuture::isDone));
            RFuture<Optional<LockHold>> won =
                    waiting.stream().filter(RFuture::isDone).findFirst().orElseThrow();
            waiting.remove(won);
            LockHold hold = won.get().orElseThrow();
            stage.expect(hold.fencingToken() > last, "FM", "token " + hold.fencingToken() + " after " + last);
            last = hold.fencingToken();
            hold.close();
        }
        stage.note("with a wait all three had the lock within " + Stage.millisSince(start) + " ms");
    }

    private static List<RFuture<Optional<LockHold>>> everybody(List<LockClient> clients, Duration wait) {
        return clients.stream()
                .map(client -> client.getLock("mine").tryAcquireAsync(wait))
                .toList();
    }

    /** A holder at two of three; one of the two forgets. With the third, that would be a second majority. */
    static void forgetful(Stage stage) throws Exception {
        Duration lease = Duration.ofSeconds(2);
        QuorumOptions guarded =
                HoldfastParty.PATIENT.toBuilder().longestLease(lease).build();
        List<RedisServer> servers = servers(stage, 3);
        List<String> urls = List.of(urls(servers));
        LockClient unguarded =
                quorum(stage, urls, guarded.toBuilder().restartGuard(false).build());
        LockClient before = quorum(stage, urls, guarded);
        before.getLock("first").withLease(lease).acquire().close();
        // Uptimes are told in whole seconds; a fleet that is younger than the longest lease is let in as a whole.
        stage.during(lease.plusSeconds(2));

        List<FaultProxy> proxies = servers.stream().map(stage::proxy).toList();
        LockClient holder = quorum(stage, proxies.stream().map(FaultProxy::url).toList(), guarded);
        holder.getLock("first").withLease(lease).acquire().close();
        proxies.get(2).swallowRequests();
        LockHold[] hold = new LockHold[1];
        long[] token = new long[1];
        LockClient[] after = new LockClient[1];
        stage.fault("restart that forgets", () -> {
            hold[0] = holder.getLock("mine").withLease(lease).acquire();
            token[0] = hold[0].fencingToken();
            proxies.forEach(proxy -> {
                proxy.swallowRequests();
                proxy.refuse();
            });
            servers.get(1).kill();
            servers.get(1).restart();
            after[0] = quorum(stage, urls, guarded);
            Optional<LockHold> second = unguarded.getLock("mine").tryAcquire(Duration.ofMillis(500));
            boolean fooled = second.isPresent() && hold[0].state() != HoldState.LOST;
            stage.bite(
                    fooled ? 1 : 0,
                    "restart that forgot: a client that ignores restarts was granted the lock beside the owner");
            second.ifPresent(LockHold::close);
        });
        for (LockClient client : List.of(before, after[0])) {
            LockHold next = awaitGrant(stage, client);
            stage.expect(hold[0].state() == HoldState.LOST, "ME", "let in while the first owner was valid");
            stage.expect(next.fencingToken() > token[0], "FM", "token " + next.fencingToken() + " after " + token[0]);
            next.close();
        }
        stage.note("clients that saw the restart, and such as came after it, were let in when the first hold was over");
        PlayedLoad load = stage.load(
                stage.plan(urls(servers)).watchdog(lease).waiting(SOON).holding(20));
        load.awaitGrants(10);
    }

    private static LockHold awaitGrant(Stage stage, LockClient client) throws InterruptedException {
        LockHold[] granted = new LockHold[1];
        stage.await("a grant", () -> {
            try {
                granted[0] = client.getLock("mine")
                        .tryAcquire(Duration.ofMillis(100))
                        .orElse(null);
            } catch (LockException noMajority) {
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return granted[0] != null;
        });
        return granted[0];
    }

    private static LockClient quorum(Stage stage, List<String> urls, QuorumOptions options) {
        return stage.closing(LockClient.connectQuorum(
                urls, Clients.quick().clientName("chaos-own").build(), options));
    }

    static void oneClockSteps(Stage stage) throws Exception {
        RedisServer like = stage.server();
        Path directory = ClockRows.directory(stage);
        try (ShiftedServer first = ShiftedServer.like(like, directory, Duration.ZERO);
                ShiftedServer second = ShiftedServer.like(like, directory, Duration.ZERO);
                ShiftedServer third = ShiftedServer.like(like, directory, Duration.ZERO)) {
            List<ShiftedServer> nodes = List.of(first, second, third);
            String[] urls = nodes.stream().map(ShiftedServer::url).toArray(String[]::new);
            PlayedLoad load =
                    stage.load(stage.plan(urls).watchdog(LEASE).waiting(SOON).holding(20));
            LockClient client = stage.quorum(List.of(urls));
            Actor owner = stage.actor("owner", client);
            Actor other = stage.actor("other", stage.quorum(List.of(urls)));
            long last = 0;
            for (int round = 0; round < stage.rounds(4, 12); round++) {
                load.awaitGrants(4);
                ShiftedServer node = nodes.get(round % 3);
                long seconds = round / 3 % 2 == 0 ? 120 : 0;
                Actor.Held held = ServerRows.granted(owner, "held");
                stage.expect(held.token > last, "FM", "token " + held.token + " after " + last);
                last = held.token;
                stage.await("all three keep it", SOON, () -> nodes.stream().allMatch(QuorumRows::keeps));
                long before = System.nanoTime();
                stage.trouble("one of three clocks to " + seconds + " s", () -> {
                    node.set(Duration.ofSeconds(seconds));
                    stage.expect(
                            other.tryAcquire("held", Duration.ofMillis(200)) == null,
                            "ME",
                            "a second owner was let in");
                    stage.expect(held.look(), "ME", "the owner was told a loss");
                });
                // Who has a bare majority, with the clock that steps in it, loses it with the step.
                stage.forgot(before, "job");
                stage.bite(
                        1,
                        "step of one of three clocks, to "
                                + node.time()
                                        .minusMillis(System.currentTimeMillis())
                                        .toSeconds() + " s: the hold stood");
                held.release();
            }
            load.awaitGrants(5);
            load.stop();
            load.shut();
            stage.closeClients();
        }
    }

    private static boolean keeps(ShiftedServer node) {
        try (RawRedis raw = node.connect()) {
            return Stored.exists(raw, "held");
        }
    }

    static void releaseLostOnTwo(Stage stage) throws Exception {
        List<RedisServer> servers = servers(stage, 5);
        List<FaultProxy> proxies = servers.stream().map(stage::proxy).toList();
        PlayedLoad load = stage.load(
                stage.plan(urls(servers)).watchdog(LEASE).waiting(SOON).holding(20));
        Actor owner = stage.actor(
                "owner", stage.quorum(proxies.stream().map(FaultProxy::url).toList()), Clients.watchdog(LEASE));
        Actor next = stage.actor("next", stage.quorum(List.of(urls(servers))), Clients.watchdog(LEASE));
        for (int round = 0; round < stage.rounds(2, 8); round++) {
            load.awaitGrants(4);
            boolean requests = round % 2 == 0;
            Actor.Held held = ServerRows.granted(owner, "held");
            stage.await("all five keep it", SOON, () -> keepers(servers) == 5);
            stage.trouble(requests ? "release lost on two of five" : "replies of two of five lost", () -> {
                proxies.subList(0, 2).forEach(requests ? FaultProxy::swallowRequests : FaultProxy::swallowReplies);
                held.release();
                long released = System.nanoTime();
                Actor.Held successor = ServerRows.granted(next, "held");
                stage.bite(
                        1,
                        (requests ? "release that two of five never got" : "release that two of five did not answer")
                                + ": the next owner was let in after " + Stage.millisSince(released) + " ms");
                proxies.forEach(FaultProxy::heal);
                successor.release();
            });
            long healed = System.nanoTime();
            stage.await("all have let go", SOON, () -> keepers(servers) == 0);
            stage.note("settled on all five " + Stage.millisSince(healed) + " ms after the network was back");
        }
        load.awaitGrants(5);
    }

    private static long keepers(List<RedisServer> servers) {
        return servers.stream()
                .filter(server -> {
                    try (RawRedis raw = server.connect()) {
                        return Stored.exists(raw, "held");
                    }
                })
                .count();
    }
}
