package io.holdfast.lock.examples;

import static io.holdfast.lock.examples.console.Text.duration;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.console.Console;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A hold as an object, and its token as the guard of a write. */
@Command(
        name = "handle",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "The hold that closes itself, and the fencing token that guards a write.",
        description = {
            "Two clients take turns. The first one stands still for longer than its lease, as a paused JVM does, and "
                    + "then writes all the same. The value refuses the write, because it has seen a newer token.",
            "",
            "Exit code: 0 if the late write was refused, else 1."
        })
final class HandleCommand implements Callable<Integer> {

    private static final Duration LEASE = Duration.ofMillis(500);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        Console console = server.console();
        String name = "account-" + UUID.randomUUID().toString().substring(0, 8);
        try (ExampleServer redis = server.open(console);
                LockClient first = LockClient.connect(redis.url());
                LockClient second = LockClient.connect(redis.url())) {
            closesItself(console, first, name);
            boolean refused = refusesLateWrites(console, first, second, name);
            runsABlock(console, second, name);
            return refused ? 0 : 1;
        }
    }

    private static void closesItself(Console console, LockClient client, String name) throws InterruptedException {
        console.heading("A hold closes itself");
        RLock lock = client.getLock(name);
        try (LockHold hold = lock.acquire()) {
            console.print("  try (LockHold hold = lock.acquire()) {");
            console.print("      hold.fencingToken()   " + hold.fencingToken());
            console.print("      hold.state()          " + hold.state());
            console.print(
                    "      hold.validFor()       " + hold.validFor().toMillis() + " ms, and the watchdog renews it");
            console.print("      lock.isLocked()       " + lock.isLocked());
            console.print("  }");
        }
        console.print("  lock.isLocked()           " + lock.isLocked());
    }

    private static boolean refusesLateWrites(Console console, LockClient first, LockClient second, String name)
            throws InterruptedException {
        console.heading("A token guards a write");
        Timeline timeline = new Timeline(console);
        LockHold early = first.getLock(name).withLease(LEASE).acquire();
        long earlyToken = early.fencingToken();
        FencedValue balance = first.getFencedValue(name);
        timeline.say("first:  acquired for " + duration(LEASE.toNanos()) + ", token " + earlyToken);
        timeline.say("first:  set(\"100\", its token)  " + accepted(console, balance.set("100", earlyToken)));

        timeline.say("first:  stands still for longer than that, as in a long garbage collection");
        try (LockHold late = second.getLock(name).acquire()) {
            timeline.say("second: acquired when that lease was over, token " + late.fencingToken());
            boolean written = second.getFencedValue(name).set("70", late.fencingToken());
            timeline.say("second: set(\"70\", its token)   " + accepted(console, written));
        }

        timeline.say("first:  wakes up; hold.state() says " + early.state());
        try {
            timeline.say("first:  hold.fencingToken() gives " + early.fencingToken());
        } catch (LockLostException lost) {
            timeline.say("first:  hold.fencingToken() throws LockLostException, " + lost.lossReason());
        }
        boolean written = balance.set("130", earlyToken);
        timeline.say("first:  had kept its token, and asks nobody: set(\"130\")  " + accepted(console, written));
        timeline.say("value:  " + balance.get().orElse("none"));
        try {
            early.close();
        } catch (LockLostException lost) {
            timeline.say("first:  hold.close() throws too, so that a lost block of work cannot look like a good one");
        }
        return !written;
    }

    private static void runsABlock(Console console, LockClient client, String name) throws InterruptedException {
        console.heading("A block of code holds the lock");
        client.runLocked(name, Duration.ofSeconds(5), hold -> {
            hold.ensure(Duration.ofSeconds(10));
            console.print("  client.runLocked(name, wait, hold -> {");
            console.print("      hold.ensure(10 s)     at least "
                    + TimeUnit.NANOSECONDS.toMillis(hold.validFor().toNanos()) + " ms are left");
            console.print("  })                        given back on every way out");
        });
    }

    private static String accepted(Console console, boolean accepted) {
        return accepted ? console.good("accepted") : console.bad("refused: a newer token was seen");
    }
}
