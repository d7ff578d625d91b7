package io.holdfast.lock.tests.harness;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program for {@link ChildJvm} that takes a lock and does what it is told, a command a line:
 *
 * <ul>
 *   <li>{@code acquire NAME LEASE_MILLIS}: takes the lock under the watchdog with that lease; answers the token
 *   <li>{@code queue KIND NAME}: waits for its turn in the server's queue and takes the lock, as {@code fair}, {@code read} or
 *       {@code write}, or a {@code permit} of the semaphore; answers the token
 *   <li>{@code permit NAME LEASE_MILLIS}: takes a permit under the watchdog with that lease; answers the token
 *   <li>{@code lead NAME ID LEASE_MILLIS}: campaigns until it leads, with that lease; answers the term
 *   <li>{@code await NAME}: takes the fair lock, awaits its condition {@code full}, and releases it; answers the token that it had
 *   <li>{@code release}: releases what it took
 *   <li>{@code read NAME}: reads the fenced value into memory and answers it
 *   <li>{@code blind NAME}: adds one to what was read and writes it without asking for anybody's leave, token 1
 *   <li>{@code guarded NAME}: the same under the hold's token as it was when granted; answers whether it was accepted
 *   <li>{@code state}: answers what the hold is in now
 *   <li>{@code watch GAP_MILLIS}: asks for the state again and again, and tells the first after a gap in time
 * </ul>
 *
 * <p>Its arguments are the addresses of the lock's servers; values are kept by the first.
 *
 * <p>It never looks whether its hold is still valid unless it is told to: the program that fencing exists for.
 */
public final class HolderProgram {

    private final LockClient client;
    private final LockClient values;
    private final PrintStream out;
    private LockHold hold;
    private long token;
    private int value;

    private HolderProgram(LockClient client, LockClient values, PrintStream out) {
        this.client = client;
        this.values = values;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        LockClient values = Clients.connect(arguments[0]);
        LockClient client = arguments.length == 1
                ? values
                : LockClient.connectQuorum(List.of(arguments), Clients.quick().build(), QuorumOptions.defaults());
        HolderProgram program = new HolderProgram(client, values, out);
        out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            out.println(words[0] + " " + program.execute(words));
        }
        Runtime.getRuntime().halt(0);
    }

    private Object execute(String[] words) throws Exception {
        switch (words[0]) {
            case "acquire":
                Duration lease = Duration.ofMillis(Long.parseLong(words[2]));
                hold = client.getLock(words[1], Clients.watchdog(lease)).acquire();
                token = hold.fencingToken();
                return token;
            case "queue":
                hold = words[1].equals("permit")
                        ? client.getPermitExpirableSemaphore(words[2]).acquireHold()
                        : queued(words[1], words[2]).acquire();
                token = hold.fencingToken();
                return token;
            case "permit":
                Duration ofPermit = Duration.ofMillis(Long.parseLong(words[2]));
                hold = client.getPermitExpirableSemaphore(words[1], Clients.watchdog(ofPermit))
                        .acquireHold();
                token = hold.fencingToken();
                return token;
            case "lead":
                Duration term = Duration.ofMillis(Long.parseLong(words[3]));
                hold = client.getElection(words[1], Clients.watchdog(term)).campaign(words[2], new byte[0]);
                token = hold.fencingToken();
                return token;
            case "await":
                RLock fair = client.getFairLock(words[1]);
                fair.lock();
                fair.newCondition("full").await();
                token = fair.getFencingToken();
                fair.unlock();
                return token;
            case "release":
                hold.release();
                return "done";
            case "read":
                value = Integer.parseInt(values.getFencedValue(words[1]).get().orElse("0"));
                return value;
            case "blind":
                return write(values.getFencedValue(words[1]), 1);
            case "guarded":
                return write(values.getFencedValue(words[1]), token);
            case "state":
                return hold.state();
            case "watch":
                return stateAfterGap(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[1])));
            default:
                throw new IllegalArgumentException("command: " + words[0]);
        }
    }

    private RLock queued(String kind, String name) {
        return switch (kind) {
            case "fair" -> client.getFairLock(name);
            case "read" -> client.getReadWriteLock(name).readLock();
            case "write" -> client.getReadWriteLock(name).writeLock();
            default -> throw new IllegalArgumentException("kind: " + kind);
        };
    }

    private boolean write(FencedValue stored, long underToken) {
        return stored.set(Integer.toString(value + 1), underToken);
    }

    private HoldState stateAfterGap(long gapNanos) {
        // Before it is said: the test that hears it stops this process at once.
        long before = System.nanoTime();
        out.println("watching");
        while (true) {
            // In this order: a state that was asked for before the gap proves nothing.
            long now = System.nanoTime();
            HoldState state = hold.state();
            if (now - before > gapNanos) {
                return state;
            }
            before = now;
        }
    }
}
