package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.luaj.vm2.LuaString;

/**
 * Owners in several clients of a cluster, whose locks move from node to node. Beside what must hold for owners that share locks, a
 * lock at its node has the token that its holder was told, and it is not held there by a client that has no use for it.
 */
final class ClusterOwners extends FamilyOwners {

    private static final LuaString TOKEN = LuaString.valueOf("token");
    /** For a release that is repeated, and one that waits for the map. */
    private static final long UNDONE_WITHIN_NANOS = 2_500 * MILLI;

    private final boolean plainOnly;
    /** Of each lock, whether its slot is on its way. */
    private final IntPredicate isMoving;
    /** Of each lock, whether its slot is on its way, or was a moment ago. */
    private final IntPredicate isUnsettled;

    private final long undoneWithinNanos;
    /** By client and lock, when that last had a call or a hold there. */
    private final Map<String, Long> usedNanos = new HashMap<>();

    ClusterOwners(
            Ground ground,
            boolean plainOnly,
            long commandTimeoutNanos,
            IntPredicate isMoving,
            IntPredicate isUnsettled) {
        super(ground);
        this.plainOnly = plainOnly;
        this.undoneWithinNanos = UNDONE_WITHIN_NANOS + commandTimeoutNanos;
        this.isMoving = isMoving;
        this.isUnsettled = isUnsettled;
    }

    @Override
    Form form() {
        return plainOnly ? Form.PLAIN : super.form();
    }

    /** HC asks who has a lock at a node by its holds: those of threads come and go between two looks. */
    @Override
    boolean wantsBothHalves() {
        return false;
    }

    @Override
    boolean extendsHolds() {
        return true;
    }

    @Override
    void has(Asking asking, Form form, boolean watched, LockHold hold) {
        if (form == Form.PLAIN && hold.state() == HoldState.HELD) {
            judgeToken(asking, hold);
        }
        super.has(asking, form, watched, hold);
        if (chance.onceIn(4)) {
            Duration lease = Duration.ofMillis(chance.between(1_100, 4_000));
            world.after(chance.below(400 * MILLI), asking.client, () -> hold.extendAsync(lease));
        }
    }

    /** Longer than moves and leases last, now and then. */
    @Override
    long keepsNanos() {
        return !isReturning() && chance.onceIn(8) ? chance.between(2_000, 8_000) * MILLI : super.keepsNanos();
    }

    /** ERR: what is held is given back, wherever the keys are. */
    @Override
    void release(Asking asking, boolean watched, LockHold hold) {
        hold.releaseAsync().whenComplete((nothing, failure) -> {
            if (failure != null && calm && watched) {
                world.fail("ERR", asking + ": was granted, and could not give it back: " + failure);
            }
        });
    }

    /** A release that is late may find that a fixed lease is over. */
    @Override
    boolean hasNoReason(boolean watched, LossReason reason) {
        return watched;
    }

    /** FM: another step of the same owner, an election and a look are told the token that the lock keeps. */
    private void judgeToken(Asking asking, LockHold hold) {
        LuaString key = sites.get(asking.object).key;
        for (SimulatedServer server : servers) {
            LuaString kept = server.keys().hget(key, TOKEN);
            if (kept != null && isOf(server.keys(), key, hold.owner()) && kept.tolong() != hold.fencingToken()) {
                world.fail(
                        "FM",
                        asking + ": is told token " + hold.fencingToken() + ", but " + key + " at " + server.name
                                + " has " + kept);
            }
        }
    }

    /** Whether an owner, or a client, has a field in a lock. */
    private static boolean isOf(Keyspace data, LuaString key, String owner) {
        var all = data.hgetall(key);
        for (int i = 0; i < all.size(); i += 2) {
            if (all.get(i).tojstring().startsWith(owner + ':')) {
                return true;
            }
        }
        return false;
    }

    // --- what must hold ---

    /** What has a queue waits for the end of a move (rule 120). */
    @Override
    boolean isFree(Asking asking) {
        boolean waits = !isPlain(asking) && isMoving.test(asking.object);
        return !waits && super.isFree(asking);
    }

    /**
     * A client that has asked before a key went to the next node listens at the one before. There a release of the lock is told as
     * well, but not whose turn it is in a queue.
     */
    @Override
    boolean isHeardOf(Asking asking) {
        return super.isHeardOf(asking) && (isPlain(asking) || !isUnsettled.test(asking.object));
    }

    private static boolean isPlain(Asking asking) {
        return asking.what.endsWith(Form.PLAIN.name());
    }

    @Override
    void look(long calmFromNanos) {
        super.look(calmFromNanos);
        for (SimulatedClient client : clients) {
            for (int lock = 0; client.isInUse() && lock < sites.size(); lock++) {
                lookForLeftovers(client, lock, calmFromNanos);
            }
        }
    }

    /** HC: a lock is not held by a client without a call or a hold of it (rule 98). */
    private void lookForLeftovers(SimulatedClient client, int lock, long calmFromNanos) {
        Site site = sites.get(lock);
        boolean inUse = !client.isRunning()
                || open().stream().anyMatch(call -> call.client == client && call.object == lock)
                || site.held.stream().anyMatch(held -> held.client() == client);
        boolean held = servers.stream()
                .anyMatch(server -> isOf(server.keys(), site.key, client.api().id()));
        String which = client.name + " " + lock;
        if (inUse || !held) {
            usedNanos.put(which, world.nanos());
            return;
        }
        long since = Math.max(usedNanos.getOrDefault(which, 0L), calmFromNanos);
        if (world.nanos() - since > undoneWithinNanos) {
            world.fail(
                    "HC",
                    client.name + ": has had no call and no hold of " + site.key + " for "
                            + (world.nanos() - since) / MILLI + " ms, but has it at a node");
        }
    }
}
