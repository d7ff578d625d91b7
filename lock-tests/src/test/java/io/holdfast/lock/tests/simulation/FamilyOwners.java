package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.luaj.vm2.LuaString;

/**
 * Owners that read, write, and take the same locks fairly and plainly; and what must hold for them together. Some are threads, which
 * go on reading beside what they write, or ask to write what they read. Over several servers there are no fair ones (rule 66).
 */
class FamilyOwners extends SharedOwners {

    /** Over several servers, owners that want a lock at once keep it from each other for some rounds. */
    private static final long AT_WORST_OF_SEVERAL_NANOS = 12 * SECOND;

    private static final long LONGEST_LEASE_NANOS = 6 * SECOND;
    /** Less than a claim window. */
    private static final long SHORTEST_LEASE_MILLIS = 150;
    /** What clocks drift in a lease. */
    private static final long DRIFT_NANOS = 50 * MILLI;
    /** How long an owner of one half waits for the other. */
    private static final Duration BESIDE = Duration.ofSeconds(2);

    /** What an owner wants of a lock. */
    enum Form {
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
    record Held(Form form, SimulatedClient client, String owner, Supplier<HoldState> state, Runnable back) {

        boolean isValid() {
            return !client.isCrashed() && client.isRunning() && SharedOwners.isValid(state.get());
        }

        /** Whether both may be valid at once: readers may, and the halves of one owner. */
        boolean isBeside(Held other) {
            return owner.equals(other.owner) || (form == Form.READ && other.form == Form.READ);
        }

        @Override
        public String toString() {
            return owner + " as " + form;
        }
    }

    /** What is known of one lock. */
    static final class Site {

        final LuaString key;
        final LuaString readers;
        final List<Held> held = new ArrayList<>();
        long highestOfWriters;
        /** Whether the last of the fields of a lock went by a word of its holder: it is told to none that a lease is over. */
        boolean releasedLast;

        Site(String name) {
            this.key = LuaString.valueOf(Workload.Scene.FAMILY.key(name));
            this.readers = LuaString.valueOf(key + ":readers");
        }
    }

    final List<Site> sites;
    /** Whether owners are threads, which may want both halves. */
    private final Chance ofThreads;

    private long threads;
    /** By client, when what it has at the server was last in doubt. */
    private final Map<String, Long> doubtNanos = new HashMap<>();

    FamilyOwners(Ground ground) {
        super(ground);
        this.sites = names.stream().map(Site::new).toList();
        this.ofThreads = new Chance(world.seed, 4);
    }

    // --- what they do ---

    @Override
    void next() {
        SimulatedClient client = anyClient();
        int lock = chance.below(names.size());
        Form form = form();
        Duration wait = patience();
        boolean fixed = chance.onceIn(3);
        Duration lease = Duration.ofMillis(chance.between(SHORTEST_LEASE_MILLIS, 4_000));
        long cancelNanos = cancelNanos();
        boolean both = wantsBothHalves();
        world.after(0, client, () -> {
            if (client.isInUse() && both && (form == Form.READ || form == Form.WRITE)) {
                takeAsThread(client, lock, form, wait);
            } else if (client.isInUse()) {
                take(client, lock, form, wait, fixed ? lease : Duration.ZERO, cancelNanos);
            }
        });
    }

    /** Whether the next owner wants the other half as well, once it reads or writes. */
    boolean wantsBothHalves() {
        return ofThreads.onceIn(4);
    }

    /** Whether owners extend the leases of their holds now and then. */
    boolean extendsHolds() {
        return false;
    }

    /** What the next owner wants. */
    Form form() {
        int lot = chance.below(100);
        Form form = lot < 45 ? Form.READ : lot < 70 ? Form.WRITE : lot < 88 ? Form.FAIR : Form.PLAIN;
        return overSeveral && form == Form.FAIR ? Form.WRITE : form;
    }

    private void take(SimulatedClient client, int lock, Form form, Duration wait, Duration lease, long cancelNanos) {
        RLock of = form.of(client.api(), names.get(lock));
        RLock leased = lease.isZero() ? of : of.withLease(lease);
        Asking asking = new Asking(client, lock, "lock " + lock + " as " + form, wait);
        CompletableFuture<?> call = wait.equals(FOR_EVER)
                ? made(asking, leased.acquireAsync(), hold -> hasFor(asking, form, lease, hold))
                : made(
                        asking,
                        leased.tryAcquireAsync(wait),
                        hold -> hold.ifPresent(one -> hasFor(asking, form, lease, one)));
        cancelAfter(cancelNanos, client, call);
    }

    /** An owner is told that it has what it wanted for a lease; under the watchdog if that is none. */
    private void hasFor(Asking asking, Form form, Duration lease, LockHold hold) {
        has(asking, form, lease.isZero(), hold);
        if (calm && !overSeveral && !extendsHolds() && form != Form.PLAIN && !lease.isZero()) {
            world.after(lease.toNanos() + DRIFT_NANOS, () -> endsWithItsLease(asking, hold.owner()));
        }
    }

    /** A copy of a request that comes late may make it last longer, but there is none where nothing goes wrong. */
    private void endsWithItsLease(Asking asking, String owner) {
        String key = sites.get(asking.object).key.tojstring();
        if (Places.in(data(), key).stream().anyMatch(member -> member.startsWith(owner + ':', 1))) {
            world.fail("FM", asking + ": its lease is over, and the server keeps it");
        }
    }

    /** An owner is told that it has what it wanted. */
    void has(Asking asking, Form form, boolean watched, LockHold hold) {
        wasGranted();
        hold.onLost(loss -> wasLost(asking, hasNoReason(watched, loss.reason()), loss.reason()));
        String id = asking.client.api().id();
        if (form == Form.PLAIN
                && world.nanos() - doubtNanos.getOrDefault(id, -LONGEST_LEASE_NANOS) < LONGEST_LEASE_NANOS) {
            super.doubt(hold.owner() + ':');
        }
        sites.get(asking.object)
                .held
                .add(new Held(form, asking.client, hold.owner(), hold::state, () -> hold.releaseAsync()));
        if (hold.state() == HoldState.HELD) {
            seesToken(asking, form, hold.fencingToken());
        }
        world.after(keepsNanos(), asking.client, () -> release(asking, watched, hold));
    }

    private void seesToken(Asking asking, Form form, long token) {
        Site site = sites.get(asking.object);
        if (!isForgetful() && token <= site.highestOfWriters) {
            world.fail("FM", asking + ": has token " + token + ", after " + site.highestOfWriters + " of a writer");
        }
        if (form != Form.READ) {
            site.highestOfWriters = Math.max(site.highestOfWriters, token);
        }
    }

    /** An owner gives back what it was told that it has. */
    void release(Asking asking, boolean watched, LockHold hold) {
        hold.releaseAsync();
    }

    // --- both halves ---

    /** A thread writes and goes on reading, or reads and asks to write (rules 50 to 52). */
    private void takeAsThread(SimulatedClient client, int lock, Form form, Duration wait) {
        long thread = ++threads;
        takeHalf(client, lock, form, thread, wait).thenAccept(taken -> {
            if (taken && form == Form.WRITE) {
                readBeside(client, lock, thread);
            } else if (taken) {
                askToWrite(client, lock, thread);
            }
        });
    }

    private CompletableFuture<Boolean> takeHalf(
            SimulatedClient client, int lock, Form form, long thread, Duration wait) {
        Asking asking = new Asking(client, lock, "lock " + lock + ", thread " + thread + " as " + form, wait);
        RLock half = form.of(client.api(), names.get(lock));
        String owner = client.api().id() + ':' + thread;
        return made(asking, half.tryLockAsync(wait.toMillis(), -1, TimeUnit.MILLISECONDS, thread), taken -> {
            if (taken) {
                wasGranted();
                sites.get(lock)
                        .held
                        .add(new Held(
                                form,
                                client,
                                owner,
                                () -> half(client, owner, form)
                                        .map(HeldLock::state)
                                        .orElse(HoldState.RELEASED),
                                () -> half.unlockAsync(thread)));
                half(client, owner, form)
                        .filter(hold -> hold.state() == HoldState.HELD)
                        .ifPresent(hold ->
                                seesToken(asking, form, hold.fencingToken().orElseThrow()));
            }
        });
    }

    private static Optional<HeldLock> half(SimulatedClient client, String owner, Form form) {
        return client.api().holds().stream()
                .filter(hold -> hold.owner().equals(owner) && hold.kind().name().equals(form.name()))
                .findFirst();
    }

    private void readBeside(SimulatedClient client, int lock, long thread) {
        takeHalf(client, lock, Form.READ, thread, BESIDE).whenComplete((taken, failure) -> {
            boolean both = failure == null && taken;
            if (calm && !both && !isReturning()) {
                world.fail("ERR", client.name + ", thread " + thread + ": writes, and may not read: " + failure);
            }
            boolean goesOnReading = both && ofThreads.onceIn(2);
            world.after(
                    keepsNanos(), client, () -> unlock(client, lock, goesOnReading ? Form.WRITE : Form.READ, thread));
            world.after(
                    SECOND + keepsNanos(),
                    client,
                    () -> unlock(client, lock, goesOnReading ? Form.READ : Form.WRITE, thread));
        });
    }

    private void askToWrite(SimulatedClient client, int lock, long thread) {
        String owner = client.api().id() + ':' + thread;
        boolean reads = half(client, owner, Form.READ)
                .filter(hold -> SharedOwners.isValid(hold.state()))
                .isPresent();
        takeHalf(client, lock, Form.WRITE, thread, BESIDE).whenComplete((taken, failure) -> {
            if (reads && !(failure instanceof IllegalMonitorStateException)) {
                world.fail("ERR", client.name + ", thread " + thread + ": reads, and asks to write: " + failure);
            }
            world.after(keepsNanos(), client, () -> {
                unlock(client, lock, Form.READ, thread);
                unlock(client, lock, Form.WRITE, thread);
            });
        });
    }

    private void unlock(SimulatedClient client, int lock, Form form, long thread) {
        boolean has = half(client, client.api().id() + ':' + thread, form).isPresent();
        form.of(client.api(), names.get(lock)).unlockAsync(thread).whenComplete((nothing, failure) -> {
            if (calm && has && failure != null) {
                world.fail("ERR", client.name + ", thread " + thread + ": can't release " + form + ": " + failure);
            }
        });
    }

    /** Whether a hold can't be lost so where nothing goes wrong. */
    boolean hasNoReason(boolean watched, LossReason reason) {
        return reason != LossReason.LEASE_EXPIRED;
    }

    @Override
    void giveBack() {
        super.giveBack();
        sites.forEach(site -> site.held.forEach(each -> world.after(0, each.client, each.back)));
    }

    @Override
    void gone(LuaString key, Keyspace.Cause cause) {
        for (int lock = 0; lock < sites.size(); lock++) {
            Site site = sites.get(lock);
            if (key.equals(site.key) || key.equals(site.readers)) {
                wasBusy(lock);
                site.releasedLast = cause == Keyspace.Cause.RELEASED;
            }
        }
    }

    /** A client passes a plain lock on among its owners under the field of the first. */
    @Override
    void doubt(String field) {
        super.doubt(field);
        String id = field.substring(0, field.indexOf(':'));
        doubtNanos.put(id, world.nanos());
        for (Site site : sites) {
            site.held.stream()
                    .filter(each ->
                            each.form == Form.PLAIN && each.client.api().id().equals(id))
                    .forEach(each -> super.doubt(each.owner + ':'));
        }
    }

    // --- what must hold ---

    /** Readers may be together, and the halves of one owner. */
    @Override
    void exclude() {
        for (Site site : sites) {
            site.held.removeIf(each -> each.client.isCrashed()
                    || isDoubted(each.owner)
                    || each.state.get() == HoldState.RELEASED
                    || (each.client.isRunning() && !each.isValid()));
            List<Held> valid = site.held.stream().filter(Held::isValid).toList();
            if (valid.stream().anyMatch(one -> valid.stream().anyMatch(other -> !one.isBeside(other)))) {
                world.fail("ME", site.key + " is held by " + valid);
            }
        }
    }

    /** A majority of free servers is a free lock, but for calls that keep it from each other. */
    @Override
    boolean isFree(Asking asking) {
        LuaString key = sites.get(asking.object).key;
        return servers.stream().noneMatch(server -> server.keys().exists(key));
    }

    @Override
    boolean isHeardOf(Asking asking) {
        return !overSeveral && sites.get(asking.object).releasedLast;
    }

    @Override
    long atWorstNanos() {
        return overSeveral ? AT_WORST_OF_SEVERAL_NANOS : super.atWorstNanos();
    }
}
