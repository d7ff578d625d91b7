package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.luaj.vm2.LuaString;

/**
 * LV: a client keeps its holds at one server. What it asks there and is answered tells: a renewal that failed is repeated
 * soon, a connection that is back brings a question about every hold, and a lease that had run out is not brought back.
 *
 * <p>Only what is certain on the wire is judged. A field whose release was sent is nobody's hold any more, and one that
 * an operation is under way for may have ended before anybody can see it.
 */
final class RenewalChecker {

    private static final long MILLI = 1_000_000;
    /** The pause after the first failure, with its jitter; it doubles with each that follows, up to a second. */
    private static final long FIRST_PAUSE_NANOS = 30 * MILLI;

    private static final int MOST_DOUBLINGS = 6;
    /** Timers are a little late, and clocks drift. */
    private static final long SLACK_NANOS = 50 * MILLI;
    /** What the watchdog asks for when it only wants to know whether a hold is still there. */
    private static final long JUST_ASKS_MILLIS = 1;

    private final World world;
    private final SimulatedClient client;
    private final String server;
    private final long watchdogMillis;
    private final Map<LuaString, Lease> leases = new HashMap<>();

    /** The watchdog's requests that have no end yet, and since when there has been none. */
    private int open;

    private long idleSinceNanos;
    /** What is to be asked about since the connection is back. */
    private final Set<LuaString> owed = new HashSet<>();

    private long backSinceNanos = -1;
    private long pausedBefore;

    /** A field at this server, so far as its client can know. */
    private static final class Lease {

        /** By the client's clock; it is lost there when this has passed before a renewal is confirmed. */
        long validUntilNanos = Long.MIN_VALUE;
        /** Whether it was released, handed over, or is known to be gone. */
        boolean over;
        /** Whether it had run out when a renewal was confirmed. */
        boolean ranOut;
        /** Operations of its owner that have not succeeded. */
        int operations;
        /** Renewals that have failed since one was confirmed. */
        int failures;
        /** When the latest one failed; negative when another was sent since. */
        long failedNanos = -1;

        long pausedBefore;

        void raise(Request request, long leaseMillis) {
            long leaseNanos = leaseMillis * MILLI;
            validUntilNanos = Math.max(validUntilNanos, request.sentNanos + leaseNanos - leaseNanos / 100 - 2 * MILLI);
        }
    }

    RenewalChecker(SimulatedClient client, SimulatedServer server) {
        this.world = client.world;
        this.client = client;
        this.server = server.name;
        this.watchdogMillis = client.options.lockOptions().watchdogLease().toMillis();
    }

    private Lease lease(LuaString field) {
        return leases.computeIfAbsent(field, first -> new Lease());
    }

    /** The watchdog renews by the same script by which owners extend, but for one of two leases. */
    private boolean isOfWatchdog(Request request) {
        if (!request.isCallOf("renew") && !request.isCallOf("keep")) {
            return false;
        }
        long millis = request.argument(2).tolong();
        return millis == watchdogMillis || millis == JUST_ASKS_MILLIS;
    }

    // --- from the connection ---

    /** The engine has sent it on its way. */
    void sent(Request request) {
        if (isOfWatchdog(request)) {
            open++;
            for (int i = 1; i <= request.arguments(); i += 2) {
                asked(request.argument(i), request.argument(i + 1).tolong());
            }
        } else if (request.isCallOf("transfer") || request.isFinalRelease()) {
            ended(request.field());
        } else if (isOperation(request)) {
            lease(request.argument(1)).operations++;
            owed.remove(request.argument(1));
        }
    }

    private static boolean isOperation(Request request) {
        return request.isCallOf("reenter")
                || request.isCallOf("release")
                || request.isCallOf("renew")
                || request.isCallOf("keep");
    }

    private void ended(LuaString field) {
        lease(field).over = true;
        owed.remove(field);
    }

    private void asked(LuaString field, long millis) {
        owed.remove(field);
        Lease lease = lease(field);
        if (lease.ranOut && world.nanos() != backSinceNanos) {
            world.fail(
                    "LV",
                    client.name + ": renews " + field + " at " + server
                            + ", whose lease there had run out before the last renewal was confirmed");
        }
        if (lease.failedNanos >= 0 && millis == watchdogMillis && RoundChecker.isOfHandle(field)) {
            repeatedSoon(field, lease);
        }
        lease.failedNanos = -1;
    }

    private void repeatedSoon(LuaString field, Lease lease) {
        long failedNanos = lease.failedNanos;
        long pause = FIRST_PAUSE_NANOS << Math.min(lease.failures - 1, MOST_DOUBLINGS);
        long waited = world.nanos() - failedNanos - (client.pausedNanos() - lease.pausedBefore);
        // One at a time: those that are ready wait for the one that is under way.
        boolean afterAnother = world.nanos() - idleSinceNanos <= SLACK_NANOS || open > 1;
        if (waited > pause + SLACK_NANOS && !afterAnother) {
            world.fail(
                    "LV",
                    client.name + ": repeats the renewal of " + field + " that failed at " + server + " after "
                            + waited / MILLI + " ms (expected: within " + pause / MILLI + " ms)");
        }
    }

    /** The server's word. */
    void answered(Request request, Reply reply) {
        if (isOfWatchdog(request)) {
            idle();
            for (int i = 0; i < reply.size(); i++) {
                LuaString field = request.argument(2 * i + 1);
                owed.remove(field);
                lease(field).failures = 0;
                confirmed(field, request, request.argument(2 * i + 2).tolong(), reply.integer(i) == 1);
            }
        } else if (request.isAcquisition()) {
            if (reply.integer(0) == 1) {
                lease(request.field()).raise(request, request.leaseMillis());
            }
        } else if (request.isCallOf("join") || request.isCallOf("read-join")) {
            if (reply.integer(0) == 1) {
                Lease fresh = new Lease();
                Lease before = leases.put(request.argument(1), fresh);
                fresh.operations = before == null ? 0 : before.operations;
                fresh.raise(
                        request,
                        request.argument(request.isCallOf("join") ? 3 : 2).tolong());
            }
        } else if (request.isCallOf("transfer")) {
            if (reply.integer(0) == 1) {
                lease(request.argument(2)).raise(request, request.argument(3).tolong());
            }
        } else if (request.isCallOf("reenter")) {
            lease(request.argument(1)).operations--;
            confirmed(request.argument(1), request, request.argument(3).tolong(), reply.integer() == 1);
        } else if (request.isCallOf("renew") || request.isCallOf("keep")) {
            lease(request.argument(1)).operations--;
            confirmed(request.argument(1), request, request.argument(2).tolong(), reply.integer(0) == 1);
        } else if (request.isCallOf("release") && !request.isFinalRelease()) {
            lease(request.argument(1)).operations--;
        }
    }

    private void confirmed(LuaString field, Request request, long leaseMillis, boolean known) {
        Lease lease = lease(field);
        if (!known) {
            lease.over = true;
        } else if (lease.validUntilNanos > Long.MIN_VALUE && client.nanos() >= lease.validUntilNanos) {
            lease.ranOut = true;
        } else if (leaseMillis > JUST_ASKS_MILLIS) {
            lease.raise(request, leaseMillis);
        }
    }

    /** It has ended without the server's word. */
    void failed(Request request) {
        if (!isOfWatchdog(request)) {
            return;
        }
        idle();
        for (int i = 1; i <= request.arguments(); i += 2) {
            owed.remove(request.argument(i));
            if (request.argument(i + 1).tolong() == watchdogMillis) {
                Lease lease = lease(request.argument(i));
                lease.failures++;
                lease.failedNanos = world.nanos();
                lease.pausedBefore = client.pausedNanos();
            }
        }
    }

    private void idle() {
        open--;
        idleSinceNanos = world.nanos();
    }

    /** The connection is back, and nothing was asked on it yet. */
    void up() {
        backSinceNanos = world.nanos();
        pausedBefore = client.pausedNanos();
        owed.clear();
        // Of several servers, one may have given a lease to a round that has not been decided yet.
        if (client.backends.size() == 1) {
            leases.forEach((field, lease) -> {
                if (!lease.over && lease.operations == 0 && lease.validUntilNanos > client.nanos()) {
                    owed.add(field);
                }
            });
        }
    }

    /** The connection is lost. */
    void down() {
        owed.clear();
    }

    // --- from time to time ---

    void look() {
        if (owed.isEmpty() || !client.isInUse() || !client.isRunning()) {
            return;
        }
        if (client.pausedNanos() != pausedBefore) {
            owed.clear();
        }
        owed.removeIf(field -> lease(field).validUntilNanos <= client.nanos());
        boolean had = open == 0 && world.nanos() - Math.max(backSinceNanos, idleSinceNanos) > SLACK_NANOS;
        if (had && !owed.isEmpty()) {
            world.fail(
                    "LV",
                    client.name + ": its connection to " + server + " has been back for "
                            + (world.nanos() - backSinceNanos) / MILLI + " ms, and it has not asked after "
                            + owed.iterator().next());
        }
    }
}
