package io.holdfast.lock.examples.redlock;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.millis;
import static io.holdfast.lock.examples.console.Text.plural;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.ScreenOptions;
import io.holdfast.lock.examples.Timeline;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A lock over five nodes that lives through the death of two, does not outlive that of three, and comes back. */
@Command(
        name = "redlock",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "One lock over five nodes; two die, then a third, then they come back.",
        description = {
            "Starts five servers. Several clients contend for one lock that guards a counter. Two nodes are killed: the "
                    + "work goes on. A client holds the lock when a third is killed: it is told of the loss when the "
                    + "hold is valid no more, and nobody gets the lock without a majority. The three are started again, "
                    + "empty: they are left out until every lock that they may have forgotten has expired; then the "
                    + "work goes on.",
            "",
            "Exit code: 0 if no update was lost, tokens only increased, the holder was told and the lock came back; "
                    + "else 1."
        })
public final class RedLockCommand implements Callable<Integer> {

    private static final int NODES = 5;
    private static final long LOOK_MILLIS = 100;

    @Mixin
    private ScreenOptions screen = new ScreenOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--clients", defaultValue = "4", description = "Clients that contend (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "2000",
            description = "The lease of every lock (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--round",
            paramLabel = "MILLIS",
            defaultValue = "4000",
            description = "How long the clients contend each time (default: ${DEFAULT-VALUE}).")
    private long roundMillis;

    @Option(names = "--log", description = "Show what the clients log, too: each of them tells of every node.")
    private boolean log;

    private final Table table = new Table("round", "nodes", "acquired", "lost", "per s", "wait p50", "p99", "max");
    private int wrong;

    @Override
    public Integer call() throws InterruptedException {
        long least = LockOptions.MIN_WATCHDOG_LEASE.toMillis();
        if (clients < 1 || leaseMillis < least || roundMillis < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--clients " + clients + ", --lease " + leaseMillis + ", --round " + roundMillis
                            + " (expected: at least 1 client, a lease of at least " + least
                            + ", a round of at least 1)");
        }
        Console console = screen.console();
        Logger clientLog = (Logger) LoggerFactory.getLogger("io.holdfast.lock");
        Level formerLevel = clientLog.getLevel();
        if (!log) {
            clientLog.setLevel(Level.ERROR);
        }
        List<LockClient> connected = new ArrayList<>();
        try (Nodes nodes = Nodes.start(NODES)) {
            console.print(nodes.toString());
            try {
                for (int client = 1; client <= clients; client++) {
                    connected.add(connect(nodes, client));
                }
                Timeline timeline = new Timeline(console);
                play(
                        console,
                        timeline,
                        nodes,
                        connected.stream().map(this::lock).toList());
                return wrong == 0 ? 0 : 1;
            } finally {
                connected.forEach(LockClient::close);
            }
        } finally {
            clientLog.setLevel(formerLevel);
        }
    }

    private LockClient connect(Nodes nodes, int number) {
        ClientOptions options = ClientOptions.builder()
                .clientName("client-" + number)
                .backoffMax(Duration.ofMillis(500))
                .build();
        // Nobody uses a longer lease on these nodes: so long a restarted one stays out.
        QuorumOptions quorum = QuorumOptions.builder()
                .longestLease(Duration.ofMillis(leaseMillis))
                .build();
        return LockClient.connectQuorum(nodes.urls(), options, quorum);
    }

    private RLock lock(LockClient client) {
        return client.getLock(
                "counter",
                LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(leaseMillis))
                        .build());
    }

    private void play(Console console, Timeline timeline, Nodes nodes, List<RLock> locks) throws InterruptedException {
        Contest contest = new Contest(locks);
        console.heading(plural(clients, "client") + " contend for one lock over five nodes");
        contend(console, timeline, nodes, contest, "all nodes", new int[0]);

        console.heading("Two nodes are killed while they do");
        contend(console, timeline, nodes, contest, "two killed", new int[] {4, 5});

        console.heading("A client holds the lock when a third node is killed");
        lose(console, timeline, nodes, locks.get(0));
        refuse(timeline, console, nodes, locks.get(locks.size() - 1));

        console.heading("The three are started again, without their data");
        recover(console, timeline, nodes, locks.get(0));
        contend(console, timeline, nodes, contest, "after restart", new int[0]);

        console.print("");
        console.print(table.lines());
        console.print("", "wait p50 to max: ms from the call to the grant; nodes: alive at the end of the round");
        console.print(
                wrong == 0
                        ? console.good("no update lost, tokens only increased, the loss was told, the lock came back")
                        : console.bad(plural(wrong, "thing") + " went wrong, see above"));
    }

    /** Lets the clients contend for a while, and kills nodes meanwhile. */
    private void contend(Console console, Timeline timeline, Nodes nodes, Contest contest, String round, int[] victims)
            throws InterruptedException {
        contest.start();
        long startNanos = System.nanoTime();
        long roundNanos = TimeUnit.MILLISECONDS.toNanos(roundMillis);
        int killed = 0;
        for (long passed = 0; passed < roundNanos; passed = System.nanoTime() - startNanos) {
            console.live(String.format(
                    "           nodes %s  %s  acquired %s",
                    nodes.picture(), Text.bar(passed / (double) roundNanos, 24), count(contest.acquired())));
            if (killed < victims.length && passed > roundNanos * (killed + 1) / (victims.length + 2)) {
                nodes.kill(victims[killed]);
                timeline.say(
                        "node " + victims[killed] + " killed, after " + count(contest.acquired()) + " acquisitions");
                killed++;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        Contest.Result result = contest.stop();
        console.endLive();
        boolean right = result.lostUpdates() == 0 && result.outOfOrder() == 0 && result.failed() == 0;
        String said = count(result.acquired()) + " acquired, " + plural(result.lostUpdates(), "update") + " lost, "
                + plural(result.outOfOrder(), "token") + " stale, " + count(result.failed()) + " failed";
        timeline.say(expect(right, console, said));
        table.row(
                round,
                nodes.alive(),
                count(result.acquired()),
                count(result.lostUpdates()),
                count(Math.round(result.acquired() / result.seconds())),
                millis(result.waits().percentile(50)),
                millis(result.waits().percentile(99)),
                millis(result.waits().max()));
    }

    /** A holder is told when too few nodes are left to renew it. */
    private void lose(Console console, Timeline timeline, Nodes nodes, RLock lock) throws InterruptedException {
        LockHold hold = lock.acquire();
        CompletableFuture<Long> toldNanos = new CompletableFuture<>();
        hold.onLost(loss -> toldNanos.complete(System.nanoTime()));
        CompletableFuture<LockLoss> lost = hold.lost().toCompletableFuture();
        timeline.say("acquired by the nodes " + nodes.picture() + ", token " + hold.fencingToken());
        watch(console, nodes, hold, lost, leaseMillis);
        boolean renewed = !lost.isDone();
        timeline.say(expect(
                renewed,
                console,
                (renewed ? "still held" : "not held") + " after a whole lease: three nodes renew it"));

        nodes.kill(3);
        long killedNanos = System.nanoTime();
        long validNanos = hold.validFor().toNanos();
        timeline.say("node 3 killed; a majority is sure of the hold for another " + duration(validNanos));
        watch(console, nodes, hold, lost, 2 * leaseMillis);
        if (!lost.isDone()) {
            timeline.say(expect(false, console, "nobody was told of the loss"));
            return;
        }
        LockLoss loss = lost.join();
        long afterNanos = toldNanos.join() - killedNanos;
        timeline.say("told " + duration(afterNanos) + " after the kill, "
                + duration(Math.max(0, afterNanos - validNanos)) + " after the end of the validity");
        console.print("             " + console.bad(loss.reason().toString()));
        list(console, nodes, loss.detail());
        try {
            hold.close();
        } catch (LockLostException alreadyTold) {
            timeline.say("hold.close(): LockLostException, " + alreadyTold.lossReason());
        }
    }

    /** Shows how long the hold is surely valid, until it is lost or the time is over. */
    private void watch(Console console, Nodes nodes, LockHold hold, CompletableFuture<LockLoss> lost, long millis)
            throws InterruptedException {
        long startNanos = System.nanoTime();
        double lease = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        while (!lost.isDone() && System.nanoTime() - startNanos < TimeUnit.MILLISECONDS.toNanos(millis)) {
            long validNanos = hold.validFor().toNanos();
            console.live(String.format(
                    "           nodes %s  %s  %s, valid for %s",
                    nodes.picture(), Text.bar(validNanos / lease, 24), hold.state(), duration(validNanos)));
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        console.endLive();
    }

    /** Nobody gets the lock from two nodes of five, and whoever asks hears why. */
    private void refuse(Timeline timeline, Console console, Nodes nodes, RLock lock) throws InterruptedException {
        try {
            Optional<LockHold> granted = lock.tryAcquire(Duration.ofMillis(500));
            granted.ifPresent(LockHold::close);
            timeline.say(expect(false, console, "granted by a minority: " + granted.isPresent()));
        } catch (LockException fault) {
            timeline.say("another client asks: " + fault.getClass().getSimpleName() + ", " + fault.reason());
            list(console, nodes, perNode(fault));
        }
    }

    /** Starts the nodes again, and waits until the lock can be had. */
    private void recover(Console console, Timeline timeline, Nodes nodes, RLock lock) throws InterruptedException {
        for (int node = 3; node <= NODES; node++) {
            nodes.restart(node);
        }
        long startNanos = System.nanoTime();
        long patienceNanos = TimeUnit.MILLISECONDS.toNanos(3 * leaseMillis + 10_000);
        timeline.say("started again: nodes " + nodes.picture());
        boolean shown = false;
        while (System.nanoTime() - startNanos < patienceNanos) {
            try {
                Optional<LockHold> hold = lock.tryAcquire(Duration.ofMillis(LOOK_MILLIS));
                if (hold.isPresent()) {
                    console.endLive();
                    timeline.say("granted " + duration(System.nanoTime() - startNanos) + " after the restart, token "
                            + hold.get().fencingToken());
                    hold.get().close();
                    return;
                }
            } catch (LockException fault) {
                String said = nodes.numbered(perNode(fault));
                if (!shown && said.contains("left out")) {
                    shown = true;
                    timeline.say("not yet: who may have forgotten a lock does not vote");
                    list(console, nodes, said);
                }
                console.live("           nodes " + nodes.picture() + "  left out for now; restarted "
                        + duration(System.nanoTime() - startNanos) + " ago");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        console.endLive();
        timeline.say(expect(false, console, "the lock did not come back"));
    }

    /** What the nodes said: the part of the message behind the reason. */
    private static String perNode(LockException fault) {
        String message = String.valueOf(fault.getMessage());
        String before = fault.reason() + ": ";
        int at = message.indexOf(before);
        return at < 0 ? message : message.substring(at + before.length());
    }

    private static void list(Console console, Nodes nodes, String detail) {
        for (String part : nodes.numbered(detail).split("; ")) {
            console.print("             " + part);
        }
    }

    private String expect(boolean right, Console console, String said) {
        if (right) {
            return console.good(said);
        }
        wrong++;
        return console.bad(said);
    }
}
