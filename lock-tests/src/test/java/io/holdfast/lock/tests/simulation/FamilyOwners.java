package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.luaj.vm2.LuaString;

/** Owners that read, write, and take the same locks fairly and plainly; and what must hold for them together. */
final class FamilyOwners implements SharedOwners {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long SLACK_NANOS = 2 * SECOND;
    private static final long PROMPT_NANOS = 600 * MILLI;
    /** A poll of the head, the window of one that does not come, and what clocks and timers are late. */
    private static final long AT_WORST_NANOS = 7_500 * MILLI;
    /** Calls that wait without a limit. */
    private static final Duration FOR_EVER = Duration.ofDays(1);

    /** What an owner wants of a lock. */
    private enum Form {
        READ,
        WRITE,
        FAIR,
        PLAIN;

        RLock of(LockClient client, String name) {
            return switch (this) {
                case READ -> client.getReadWriteLock(name).readLock();
                case WRITE -> client.getReadWriteLock(name).writeLock();
                case FAIR -> client.getFairLock(name);
                case PLAIN -> client.getLock(name);
            };
        }
    }

    /** A hold that an owner was told of. */
    private record Held(Form form, SimulatedClient client, LockHold hold) {

        boolean isValid() {
            return !client.isCrashed()
                    && client.isRunning()
                    && (hold.state() == HoldState.HELD || hold.state() == HoldState.UNCERTAIN);
        }
    }

    /** A call that waits. */
    private static final class Asking {

        final SimulatedClient client;
        final int lock;
        final Form form;
        final Duration wait;
        final long startNanos;
        final long pausedBefore;

        Asking(SimulatedClient client, int lock, Form form, Duration wait, long startNanos) {
            this.client = client;
            this.lock = lock;
            this.form = form;
            this.wait = wait;
            this.startNanos = startNanos;
            this.pausedBefore = client.pausedNanos();
        }

        @Override
        public String toString() {
            return client.name + " waits to take lock " + lock + " as " + form;
        }
    }

    private final World world;
    private final Chance chance;
    private final List<SimulatedClient> clients;
    private final SimulatedServer server;
    private final List<String> names;
    private final List<LuaString> keys;
    private final List<List<Held>> held = new ArrayList<>();
    private final List<Asking> open = new ArrayList<>();
    private final long[] highestOfWriters;
    private final long[] takenUntilNanos;
    /** Whether the last of the server's fields of a lock went by a word of its holder: nobody hears that a lease is over. */
    private final boolean[] releasedLast;

    /** Whether nothing goes wrong: then no hold is lost but by its own lease. */
    private final boolean calm;

    private boolean returning;
    private boolean forgetful;
    private int asked;
    private int granted;
    private int lost;

    FamilyOwners(
            World world,
            Chance chance,
            List<SimulatedClient> clients,
            SimulatedServer server,
            List<String> names,
            List<String> keys,
            boolean calm) {
        this.calm = calm;
        this.world = world;
        this.chance = chance;
        this.clients = clients;
        this.server = server;
        this.names = names;
        this.keys = keys.stream().map(LuaString::valueOf).toList();
        this.highestOfWriters = new long[names.size()];
        this.takenUntilNanos = new long[names.size()];
        this.releasedLast = new boolean[names.size()];
        names.forEach(name -> held.add(new ArrayList<>()));
    }

    // --- what they do ---

    @Override
    public void next() {
        List<SimulatedClient> usable =
                clients.stream().filter(SimulatedClient::isInUse).toList();
        SimulatedClient client = usable.get(chance.below(usable.size()));
        int lock = chance.below(names.size());
        int lot = chance.below(100);
        Form form = lot < 45 ? Form.READ : lot < 70 ? Form.WRITE : lot < 88 ? Form.FAIR : Form.PLAIN;
        Duration wait = patience();
        boolean fixed = chance.onceIn(3);
        Duration lease = Duration.ofMillis(chance.between(1_100, 4_000));
        long cancelNanos = chance.onceIn(8) ? chance.below(2 * SECOND) : -1;
        world.after(0, client, () -> {
            if (client.isInUse()) {
                take(client, lock, form, wait, fixed ? lease : Duration.ZERO, cancelNanos);
            }
        });
    }

    private Duration patience() {
        int lot = chance.below(5);
        return lot == 0 ? Duration.ZERO : lot < 4 ? Duration.ofMillis(chance.below(lot == 1 ? 100 : 6_000)) : FOR_EVER;
    }

    private void take(SimulatedClient client, int lock, Form form, Duration wait, Duration lease, long cancelNanos) {
        RLock of = form.of(client.api(), names.get(lock));
        asked++;
        Asking asking = new Asking(client, lock, form, wait, world.nanos());
        open.add(asking);
        RLock leased = lease.isZero() ? of : of.withLease(lease);
        if (wait.equals(FOR_EVER)) {
            CompletableFuture<LockHold> call = leased.acquireAsync().toCompletableFuture();
            whenEnded(asking, call.thenApply(Optional::of));
            cancelAfter(cancelNanos, client, call);
        } else {
            CompletableFuture<Optional<LockHold>> call =
                    leased.tryAcquireAsync(wait).toCompletableFuture();
            whenEnded(asking, call);
            cancelAfter(cancelNanos, client, call);
        }
    }

    private void cancelAfter(long nanos, SimulatedClient client, CompletableFuture<?> call) {
        if (nanos >= 0) {
            world.after(nanos, client, () -> call.cancel(false));
        }
    }

    private void whenEnded(Asking asking, CompletionStage<Optional<LockHold>> outcome) {
        outcome.whenComplete((hold, failure) -> {
            open.remove(asking);
            long took = world.nanos() - asking.startNanos - (asking.client.pausedNanos() - asking.pausedBefore);
            if (took > asking.wait.toNanos() / 100 * 101 + SLACK_NANOS) {
                world.fail("LV", asking + ": has ended after " + took / MILLI + " ms, with a wait of " + asking.wait);
            }
            if (failure == null && hold.isPresent()) {
                has(asking, hold.get());
            }
        });
    }

    private void has(Asking asking, LockHold hold) {
        granted++;
        hold.onLost(loss -> {
            lost++;
            if (calm && loss.reason() != LossReason.LEASE_EXPIRED) {
                world.fail("ERR", asking + ": was granted, and lost it for no reason: " + loss.reason());
            }
        });
        held.get(asking.lock).add(new Held(asking.form, asking.client, hold));
        boolean alive = hold.state() == HoldState.HELD;
        if (alive && !forgetful && hold.fencingToken() <= highestOfWriters[asking.lock]) {
            world.fail(
                    "FM",
                    asking + ": has token " + hold.fencingToken() + ", after " + highestOfWriters[asking.lock]
                            + " of a writer");
        }
        if (alive && asking.form != Form.READ) {
            highestOfWriters[asking.lock] = Math.max(highestOfWriters[asking.lock], hold.fencingToken());
        }
        int lot = chance.below(10);
        long keeps = lot < 5 ? chance.below(5 * MILLI) : lot < 8 ? chance.below(200 * MILLI) : chance.below(2 * SECOND);
        world.after(returning ? 0 : keeps, asking.client, hold::releaseAsync);
    }

    /** From now on a lock is given back as soon as it is granted. */
    @Override
    public void giveBack() {
        returning = true;
        held.forEach(all -> all.forEach(each -> world.after(0, each.client, () -> each.hold.releaseAsync())));
    }

    @Override
    public void crashed(SimulatedClient client) {
        open.removeIf(asking -> asking.client == client);
    }

    /** What was held may meet others. */
    @Override
    public void lostData() {
        forgetful = true;
        held.forEach(List::clear);
    }

    /** The server has no longer what it had for a field. */
    @Override
    public void gone(LuaString key, boolean released) {
        for (int lock = 0; lock < names.size(); lock++) {
            String text = key.tojstring();
            if (text.equals(keys.get(lock).tojstring()) || text.equals(keys.get(lock) + ":readers")) {
                takenUntilNanos[lock] = world.nanos();
                releasedLast[lock] = released;
            }
        }
    }

    // --- what must hold ---

    /** Readers may be together; nobody else. */
    @Override
    public void exclude() {
        for (int lock = 0; lock < names.size(); lock++) {
            List<Held> all = held.get(lock);
            all.removeIf(each -> each.client.isCrashed() || each.hold.state() == HoldState.RELEASED);
            for (Iterator<Held> each = all.iterator(); each.hasNext(); ) {
                Held one = each.next();
                if (one.client.isRunning() && !one.isValid()) {
                    each.remove();
                }
            }
            List<Held> valid = all.stream().filter(Held::isValid).toList();
            boolean alone = valid.stream().allMatch(each -> each.form == Form.READ) || valid.size() == 1;
            if (!valid.isEmpty() && !alone) {
                world.fail("ME", "lock " + lock + " is held by " + valid);
            }
        }
    }

    /** A lock that nobody has is not left so while a call waits that is able to hear of it. */
    @Override
    public void lookForIdleLocks(long calmFromNanos) {
        for (int lock = 0; lock < names.size(); lock++) {
            boolean taken = server.keys().exists(keys.get(lock));
            if (taken) {
                takenUntilNanos[lock] = world.nanos();
            }
            for (Asking asking : open) {
                if (asking.lock == lock && !asking.wait.isZero() && asking.client.isRunning()) {
                    look(asking, calmFromNanos);
                }
            }
        }
    }

    private void look(Asking asking, long calmFromNanos) {
        long since = Math.max(Math.max(takenUntilNanos[asking.lock], asking.startNanos), calmFromNanos);
        boolean prompt = calmFromNanos < asking.startNanos && releasedLast[asking.lock];
        if (world.nanos() - since > (prompt ? PROMPT_NANOS : AT_WORST_NANOS)) {
            world.fail("NLW", asking + ", though it has been free for " + (world.nanos() - since) / MILLI + " ms");
        }
    }

    @Override
    public void allEnded() {
        if (!open.isEmpty()) {
            world.fail("LV", open.get(0) + " in the end, and " + (open.size() - 1) + " others");
        }
    }

    // --- for the tally ---

    @Override
    public int asked() {
        return asked;
    }

    @Override
    public int granted() {
        return granted;
    }

    @Override
    public int lost() {
        return lost;
    }
}
