package io.holdfast.lock.examples;

import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.plural;
import static io.holdfast.lock.examples.console.Text.seconds;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A job that outlives its first lease, and then loses its lock. */
@Command(
        name = "watchdog",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "A job outlives its first lease; then the server dies, and the holder is told.",
        description = {
            "Takes a lock with a short lease and works for longer than that: the watchdog renews the lease every third "
                    + "of it. Then the server is killed. Renewals fail, and when the hold is valid no more, the holder "
                    + "hears of it, without any server's help.",
            "",
            "A server given with --redis is not killed: there somebody else frees the lock by force.",
            "",
            "Exit code: 0 if the holder was told, else 1."
        })
final class WatchdogCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 100;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            defaultValue = "2000",
            description = "The lease that is renewed (default: ${DEFAULT-VALUE}).")
    private long leaseMillis;

    @Option(
            names = "--job",
            paramLabel = "MILLIS",
            defaultValue = "5000",
            description = "How long the job works before the trouble begins (default: ${DEFAULT-VALUE}).")
    private long jobMillis;

    @Override
    public Integer call() throws InterruptedException {
        if (leaseMillis < LockOptions.MIN_WATCHDOG_LEASE.toMillis()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--lease: " + leaseMillis + " (expected: at least " + LockOptions.MIN_WATCHDOG_LEASE.toMillis()
                            + ")");
        }
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                LockClient client = LockClient.connect(redis.url())) {
            Timeline timeline = new Timeline(console);
            Renewals renewals = new Renewals(timeline);
            LockOptions options = LockOptions.builder()
                    .watchdogLease(Duration.ofMillis(leaseMillis))
                    .listener(renewals)
                    .build();
            String name = "report-" + UUID.randomUUID().toString().substring(0, 8);
            return work(console, timeline, redis, client.getLock(name, options), renewals) ? 0 : 1;
        }
    }

    private boolean work(Console console, Timeline timeline, ExampleServer redis, RLock lock, Renewals renewals)
            throws InterruptedException {
        console.heading("A job of " + duration(TimeUnit.MILLISECONDS.toNanos(jobMillis)) + " under a lease of "
                + duration(TimeUnit.MILLISECONDS.toNanos(leaseMillis)));
        LockHold hold = lock.acquire();
        try {
            CompletableFuture<LockLoss> lost = hold.lost().toCompletableFuture();
            hold.onLost(loss -> timeline.say(console.bad("onLost: " + loss.reason()) + ", " + loss.detail()));
            timeline.say("acquired " + lock.getName() + ", token " + hold.fencingToken());
            watch(console, hold, lost, jobMillis);
            if (lost.isDone()) {
                timeline.say("lost before anybody touched the server");
                return false;
            }
            timeline.say(console.good("still " + hold.state()) + " after " + plural(renewals.count(), "renewal") + ", "
                    + seconds(timeline.elapsedNanos()) + " into a lease of " + seconds(leaseNanos()));

            console.heading(redis.isOwn() ? "The server dies" : "Somebody frees the lock by force");
            long troubleNanos = System.nanoTime();
            if (redis.isOwn()) {
                redis.kill();
                timeline.say("server killed; the hold stays valid for another "
                        + duration(hold.validFor().toNanos()));
            } else {
                lock.forceUnlock();
                timeline.say("forceUnlock() by another owner; a server given with --redis is not ours to kill");
            }
            watch(console, hold, lost, 2 * leaseMillis + TimeUnit.SECONDS.toMillis(2));
            long toldNanos = System.nanoTime() - troubleNanos;
            if (!lost.isDone()) {
                timeline.say(console.bad("not told within " + duration(toldNanos)));
                return false;
            }
            console.print(
                    "",
                    "told " + duration(toldNanos) + " after "
                            + (redis.isOwn() ? "the server died: when the hold was valid no more" : "it happened"));
            conclude(console, hold);
            return true;
        } finally {
            closeLost(hold);
        }
    }

    /** Shows the time that the hold is still valid for, until it is lost or the time is over. */
    private void watch(Console console, LockHold hold, CompletableFuture<LockLoss> lost, long millis)
            throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!lost.isDone() && System.nanoTime() - startNanos < TimeUnit.MILLISECONDS.toNanos(millis)) {
            long validNanos = hold.validFor().toNanos();
            console.live(String.format(
                    "           %-9s %s valid for %s",
                    hold.state(), Text.bar(validNanos / (double) leaseNanos(), 24), duration(validNanos)));
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        console.endLive();
    }

    private static void conclude(Console console, LockHold hold) {
        console.print("hold.state()         " + hold.state());
        console.print("hold.validFor()      " + hold.validFor().toMillis() + " ms");
        try {
            console.print("hold.fencingToken()  " + hold.fencingToken());
        } catch (LockLostException refused) {
            console.print("hold.fencingToken()  LockLostException, " + refused.lossReason());
        }
    }

    private static void closeLost(LockHold hold) {
        try {
            hold.close();
        } catch (LockLostException alreadyTold) {
            // The loss is what this command is about, and was shown.
        }
    }

    private long leaseNanos() {
        return TimeUnit.MILLISECONDS.toNanos(leaseMillis);
    }

    /** Says when a hold was renewed, and when that failed. */
    private static final class Renewals implements LockListener {

        private static final int FAILURES_SHOWN = 3;

        private final Timeline timeline;
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();

        Renewals(Timeline timeline) {
            this.timeline = timeline;
        }

        int count() {
            return count.get();
        }

        @Override
        public void renewed(LockEvent event) {
            count.incrementAndGet();
            timeline.say("renewed, in " + duration(event.duration().toNanos()));
        }

        @Override
        public void renewalFailed(LockEvent event) {
            int failure = failures.incrementAndGet();
            if (failure <= FAILURES_SHOWN) {
                timeline.say("renewal failed: " + event.detail().orElse("")
                        + (failure == FAILURES_SHOWN ? " (further failures are not shown)" : ""));
            }
        }
    }
}
