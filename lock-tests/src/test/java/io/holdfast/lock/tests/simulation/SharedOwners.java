package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.luaj.vm2.LuaString;

/** Owners in several clients that want the same things of the same servers, and what must hold for them together. */
abstract class SharedOwners {

    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;
    /** Calls that wait without a limit. */
    static final Duration FOR_EVER = Duration.ofHours(1);

    private static final long SLACK_NANOS = 2 * SECOND;
    private static final long PROMPT_NANOS = 600 * MILLI;
    /** A poll of the head, the window of one that does not come, and what clocks and timers are late. */
    private static final long AT_WORST_NANOS = 7_500 * MILLI;

    /**
     * What there is for them.
     *
     * @param quorum whether locks are over all of the servers
     * @param calm whether nothing goes wrong
     */
    record Ground(
            World world,
            Chance chance,
            List<SimulatedClient> clients,
            List<SimulatedServer> servers,
            List<String> names,
            boolean quorum,
            boolean calm) {}

    /** A call that wants something. */
    static class Asking {

        final SimulatedClient client;
        final int object;
        final String what;
        final Duration wait;
        final long startNanos;
        private final long pausedBefore;

        Asking(SimulatedClient client, int object, String what, Duration wait) {
            this.client = client;
            this.object = object;
            this.what = what;
            this.wait = wait;
            this.startNanos = client.world.nanos();
            this.pausedBefore = client.pausedNanos();
        }

        /** For how long it has been there, while its client was running. */
        long tookNanos() {
            return client.world.nanos() - startNanos - (client.pausedNanos() - pausedBefore);
        }

        @Override
        public String toString() {
            return client.name + " waits for " + what;
        }
    }

    final World world;
    final Chance chance;
    final List<SimulatedClient> clients;
    final List<SimulatedServer> servers;
    final List<String> names;
    /** Whether locks are over all of the servers. */
    final boolean overSeveral;
    /** Whether nothing goes wrong: then no hold is lost but by its own lease. */
    final boolean calm;

    private final List<Asking> open = new ArrayList<>();
    private final long[] busyUntilNanos;
    /** Owners that may meet others, since a server has forgotten what they have, or its clock has jumped. */
    private final Set<String> doubted = new HashSet<>();

    private boolean returning;
    private boolean forgetful;
    private int asked;
    private int granted;
    private int lost;

    SharedOwners(Ground ground) {
        this.world = ground.world;
        this.chance = ground.chance;
        this.clients = ground.clients;
        this.servers = ground.servers;
        this.names = ground.names;
        this.overSeveral = ground.quorum;
        this.calm = ground.calm;
        this.busyUntilNanos = new long[names.size()];
    }

    /** The data of the first server, which is the only one but for locks over several. */
    final Keyspace data() {
        return servers.get(0).keys();
    }

    // --- what they do ---

    /** One of them does something. */
    abstract void next();

    /** From now on what is granted is given back at once, and what is held as well. */
    void giveBack() {
        returning = true;
    }

    final boolean isReturning() {
        return returning;
    }

    final SimulatedClient anyClient() {
        List<SimulatedClient> usable =
                clients.stream().filter(SimulatedClient::isInUse).toList();
        return usable.get(chance.below(usable.size()));
    }

    final Duration patience() {
        int lot = chance.below(5);
        return lot == 0 ? Duration.ZERO : lot < 4 ? Duration.ofMillis(chance.below(lot == 1 ? 100 : 6_000)) : FOR_EVER;
    }

    /** For how long something is kept. */
    long keepsNanos() {
        int lot = chance.below(10);
        long keeps = lot < 5 ? chance.below(5 * MILLI) : lot < 8 ? chance.below(200 * MILLI) : chance.below(2 * SECOND);
        return returning ? 0 : keeps;
    }

    /** After how long a call is cancelled; negative if it is not. */
    final long cancelNanos() {
        return chance.onceIn(8) ? chance.below(2 * SECOND) : -1;
    }

    final void cancelAfter(long nanos, SimulatedClient client, CompletableFuture<?> call) {
        if (nanos >= 0) {
            world.after(nanos, client, () -> call.cancel(false));
        }
    }

    /** A call is made, of which the outcome is to come in time. */
    final <T> CompletableFuture<T> made(Asking asking, CompletionStage<T> outcome, Consumer<T> then) {
        asked++;
        open.add(asking);
        CompletableFuture<T> call = outcome.toCompletableFuture();
        call.whenComplete((result, failure) -> {
            open.remove(asking);
            if (asking.tookNanos() > asking.wait.toNanos() / 100 * 101 + SLACK_NANOS) {
                world.fail(
                        "LV",
                        asking + ": has ended after " + asking.tookNanos() / MILLI + " ms, with a wait of "
                                + asking.wait);
            }
            if (failure == null) {
                then.accept(result);
            }
        });
        return call;
    }

    final void wasGranted() {
        granted++;
    }

    /** @param unexpected whether it can have no reason where nothing goes wrong */
    final void wasLost(Object who, boolean unexpected, Object why) {
        lost++;
        if (calm && unexpected) {
            world.fail("ERR", who + ": was granted, and lost it for no reason: " + why);
        }
    }

    // --- what happens to them ---

    /** A client is no more; none of its calls ends. */
    void crashed(SimulatedClient client) {
        open.removeIf(asking -> asking.client == client);
    }

    /** Another client is there, in place of one that has crashed or is being closed. */
    void joined(SimulatedClient client) {}

    /** A server has forgotten what tokens it gave. */
    void lostData() {
        forgetful = true;
    }

    final boolean isForgetful() {
        return forgetful;
    }

    /** What an owner has under a field may meet others. */
    void doubt(String field) {
        doubted.add(field.substring(0, field.lastIndexOf(':')));
    }

    final boolean isDoubted(String owner) {
        return doubted.contains(owner);
    }

    static boolean isValid(HoldState state) {
        return state == HoldState.HELD || state == HoldState.UNCERTAIN;
    }

    /** The server has no longer what it had for a field. */
    void gone(LuaString key, Keyspace.Cause cause) {}

    /** A server has run a script. */
    void ran(Request request, Keyspace data) {}

    // --- what must hold ---

    /** Never do more hold than may, by the word of their clients. */
    abstract void exclude();

    /** From time to time. */
    void look(long calmFromNanos) {
        for (Asking asking : open) {
            if (!isFree(asking)) {
                wasBusy(asking.object);
            }
        }
        for (Asking asking : open) {
            if (!asking.wait.isZero() && asking.client.isRunning()) {
                lookForIdle(asking, calmFromNanos);
            }
        }
    }

    /** Something was taken until now. */
    final void wasBusy(int object) {
        busyUntilNanos[object] = world.nanos();
    }

    /** What is free is not left so while a call waits for it that is able to hear of it. */
    private void lookForIdle(Asking asking, long calmFromNanos) {
        long since = Math.max(Math.max(busyUntilNanos[asking.object], asking.startNanos), calmFromNanos);
        // Where messages are lost, only the polls are sure.
        boolean prompt = calm && calmFromNanos < asking.startNanos && isHeardOf(asking);
        if (world.nanos() - since > (prompt ? PROMPT_NANOS : atWorstNanos())) {
            world.fail("NLW", asking + ", though it has been free for " + (world.nanos() - since) / MILLI + " ms");
        }
    }

    long atWorstNanos() {
        return AT_WORST_NANOS;
    }

    /** Whether what a call wants can be had. */
    abstract boolean isFree(Asking asking);

    /** Whether a message has told that it can. */
    abstract boolean isHeardOf(Asking asking);

    final List<Asking> open() {
        return open;
    }

    /** All is over. */
    void allEnded() {
        if (!open.isEmpty()) {
            world.fail("LV", open.get(0) + " in the end, and " + (open.size() - 1) + " others");
        }
    }

    // --- for the tally ---

    final int asked() {
        return asked;
    }

    final int granted() {
        return granted;
    }

    final int lost() {
        return lost;
    }
}
