package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.luaj.vm2.LuaString;

/**
 * Owners that read, write, and take the same locks fairly and plainly; and what must hold for them together. Over several servers
 * they read, write, and take them plainly (rule 66).
 */
class FamilyOwners extends SharedOwners {

    /** Over several servers, owners that want a lock at once keep it from each other for some rounds. */
    private static final long AT_WORST_OF_SEVERAL_NANOS = 12 * SECOND;

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
    record Held(Form form, SimulatedClient client, LockHold hold) {

        boolean isValid() {
            return !client.isCrashed() && client.isRunning() && SharedOwners.isValid(hold.state());
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

    FamilyOwners(Ground ground) {
        super(ground);
        this.sites = names.stream().map(Site::new).toList();
    }

    // --- what they do ---

    @Override
    void next() {
        SimulatedClient client = anyClient();
        int lock = chance.below(names.size());
        Form form = form();
        Duration wait = patience();
        boolean fixed = chance.onceIn(3);
        Duration lease = Duration.ofMillis(chance.between(1_100, 4_000));
        long cancelNanos = cancelNanos();
        world.after(0, client, () -> {
            if (client.isInUse()) {
                take(client, lock, form, wait, fixed ? lease : Duration.ZERO, cancelNanos);
            }
        });
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
                ? made(asking, leased.acquireAsync(), hold -> has(asking, form, lease.isZero(), hold))
                : made(
                        asking,
                        leased.tryAcquireAsync(wait),
                        hold -> hold.ifPresent(one -> has(asking, form, lease.isZero(), one)));
        cancelAfter(cancelNanos, client, call);
    }

    /** An owner is told that it has what it wanted. */
    void has(Asking asking, Form form, boolean watched, LockHold hold) {
        wasGranted();
        hold.onLost(loss -> wasLost(asking, hasNoReason(watched, loss.reason()), loss.reason()));
        Site site = sites.get(asking.object);
        site.held.add(new Held(form, asking.client, hold));
        boolean alive = hold.state() == HoldState.HELD;
        if (alive && !isForgetful() && hold.fencingToken() <= site.highestOfWriters) {
            world.fail(
                    "FM",
                    asking + ": has token " + hold.fencingToken() + ", after " + site.highestOfWriters
                            + " of a writer");
        }
        if (alive && form != Form.READ) {
            site.highestOfWriters = Math.max(site.highestOfWriters, hold.fencingToken());
        }
        world.after(keepsNanos(), asking.client, () -> release(asking, watched, hold));
    }

    /** An owner gives back what it was told that it has. */
    void release(Asking asking, boolean watched, LockHold hold) {
        hold.releaseAsync();
    }

    /** Whether a hold can't be lost so where nothing goes wrong. */
    boolean hasNoReason(boolean watched, LossReason reason) {
        return reason != LossReason.LEASE_EXPIRED;
    }

    @Override
    void giveBack() {
        super.giveBack();
        sites.forEach(site -> site.held.forEach(each -> world.after(0, each.client, () -> each.hold.releaseAsync())));
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

    // --- what must hold ---

    /** Readers may be together, and no others. */
    @Override
    void exclude() {
        for (Site site : sites) {
            site.held.removeIf(each -> each.client.isCrashed()
                    || isDoubted(each.hold.owner())
                    || each.hold.state() == HoldState.RELEASED
                    || (each.client.isRunning() && !each.isValid()));
            List<Held> valid = site.held.stream().filter(Held::isValid).toList();
            boolean alone = valid.stream().allMatch(each -> each.form == Form.READ) || valid.size() == 1;
            if (!valid.isEmpty() && !alone) {
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
