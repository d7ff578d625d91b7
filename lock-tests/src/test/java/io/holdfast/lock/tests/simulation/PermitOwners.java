package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldKind;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.tests.simulation.SimulatedThread.AbandonedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.luaj.vm2.LuaString;

/**
 * Owners that take permits of the same semaphores, one or several in a call, as handles, by their ids or for their client, and
 * others that change the limits (rules 55 to 57, 123, 124); and what must hold for them together.
 *
 * <p>What is taken for a client is released by the thread that took it, or where calls are asynchronous by a thread that took none; each
 * semaphore has callers of one sort.
 */
final class PermitOwners extends SharedOwners {

    /** How long a change whose answer was lost may still be on its way. */
    private static final long DOUBT_NANOS = 10 * SECOND;

    private static final int LARGEST_LIMIT = 5;
    private static final int LARGEST_CALL = 3;

    private static final LuaString LIMIT = LuaString.valueOf("limit");
    private static final LuaString VERSION = LuaString.valueOf("version");

    /** How permits are taken. */
    private enum Form {
        HANDLES,
        IDS,
        OF_CLIENT,
        OF_THREAD
    }

    /** A call that wants permits. */
    private static final class Taking extends Asking {

        final Form form;
        final int permits;
        /** The highest token that any owner was told when it began. */
        final long earlierToken;

        Taking(SimulatedClient client, int semaphore, Form form, int permits, Duration wait, long earlierToken) {
            super(client, semaphore, permits + " of semaphore " + semaphore + " as " + form, wait);
            this.form = form;
            this.permits = permits;
            this.earlierToken = earlierToken;
        }
    }

    /** One semaphore at the server, and what is known of it. */
    private static final class Site {

        final String name;
        final LuaString permits;
        final LuaString limit;
        final LuaString queue;
        /** How permits for a client are taken. */
        final Form ofClient;
        /** How many may be valid: the limit, or what was taken when it was lowered and has not come back. */
        int allowed;

        int taken;
        long highestToken;
        final Set<Long> tokens = new HashSet<>();
        boolean releasedLast;
        boolean isChanging;
        long doubtUntilNanos;

        Site(String name, Form ofClient) {
            this.name = name;
            this.ofClient = ofClient;
            this.permits = LuaString.valueOf("holdfast:{" + name + "}:permits");
            this.limit = LuaString.valueOf("holdfast:{" + name + "}:limit");
            this.queue = LuaString.valueOf("holdfast:{" + name + "}:permits:queue");
        }

        int limit(Keyspace data) {
            LuaString found = data.hget(limit, LIMIT);
            return found == null ? 0 : found.toint();
        }

        long version(Keyspace data) {
            LuaString found = data.hget(limit, VERSION);
            return found == null ? 0 : found.tolong();
        }
    }

    private final List<Site> sites;
    /** Owners of permits that another client has given back: they learn of it at the next renewal. */
    private final Set<String> givenBack = new HashSet<>();
    /** Threads that have begun to take permits, and not released them all. */
    private final Set<SimulatedThread> owing = new HashSet<>();

    PermitOwners(Ground ground) {
        super(ground);
        List<Site> all = new ArrayList<>();
        for (String name : names) {
            boolean ofThread = (all.size() + world.seed) % 2 == 1;
            all.add(new Site(name, ofThread ? Form.OF_THREAD : Form.OF_CLIENT));
        }
        this.sites = List.copyOf(all);
    }

    // --- what they do ---

    @Override
    void next() {
        SimulatedClient client = anyClient();
        int semaphore = chance.below(sites.size());
        Site site = sites.get(semaphore);
        if (site.limit(data()) == 0 || chance.onceIn(12)) {
            int lot = chance.below(3);
            int permits = lot == 0 ? 1 + chance.below(2) : lot == 1 ? -1 : 1 + chance.below(LARGEST_LIMIT);
            world.after(0, client, () -> change(client, site, permits));
            return;
        }
        int lot = chance.below(100);
        Form form = lot < 60 ? Form.HANDLES : lot < 85 ? Form.IDS : site.ofClient;
        int permits = chance.onceIn(2) ? 1 : 1 + chance.below(LARGEST_CALL);
        Duration wait = patience();
        long leaseMillis = chance.onceIn(3) ? chance.between(1_100, 4_000) : -1;
        long cancelNanos = cancelNanos();
        world.after(0, client, () -> {
            if (client.isInUse()) {
                take(new Taking(client, semaphore, form, permits, wait, site.highestToken), leaseMillis, cancelNanos);
            }
        });
    }

    private void take(Taking asking, long leaseMillis, long cancelNanos) {
        String name = sites.get(asking.object).name;
        if (asking.form == Form.OF_THREAD) {
            takeForThread(asking, asking.client.api().getSemaphore(name));
            return;
        }
        CompletableFuture<?> call =
                switch (asking.form) {
                    case HANDLES ->
                        takeHandles(asking, asking.client.api().getPermitExpirableSemaphore(name), leaseMillis);
                    case IDS -> takeIds(asking, asking.client.api().getPermitExpirableSemaphore(name), leaseMillis);
                    case OF_CLIENT, OF_THREAD ->
                        takeForClient(asking, asking.client.api().getSemaphore(name));
                };
        cancelAfter(cancelNanos, asking.client, call);
    }

    private CompletableFuture<?> takeHandles(Taking asking, RPermitExpirableSemaphore semaphore, long leaseMillis) {
        Duration lease = leaseMillis < 0 ? Duration.ofMillis(5_000) : Duration.ofMillis(leaseMillis);
        if (asking.permits == 1 && leaseMillis < 0) {
            return made(
                    asking,
                    semaphore.tryAcquireHoldAsync(asking.wait),
                    hold -> has(asking, hold.stream().toList(), true));
        }
        return made(
                asking,
                semaphore.tryAcquireHoldsAsync(asking.permits, asking.wait, lease),
                holds -> has(asking, holds, false));
    }

    private CompletableFuture<?> takeIds(Taking asking, RPermitExpirableSemaphore semaphore, long leaseMillis) {
        boolean forEver = asking.wait.equals(FOR_EVER);
        CompletionStage<List<String>> call = forEver
                ? semaphore.acquireAsync(asking.permits, leaseMillis, TimeUnit.MILLISECONDS)
                : semaphore.tryAcquireAsync(asking.permits, asking.wait.toMillis(), leaseMillis, TimeUnit.MILLISECONDS);
        return made(asking, call, ids -> ids.forEach(id -> keep(asking, id)));
    }

    private CompletableFuture<?> takeForClient(Taking asking, RSemaphore semaphore) {
        return made(asking, semaphore.tryAcquireAsync(asking.permits, asking.wait), taken -> {
            for (int i = 0; taken && i < asking.permits; i++) {
                wasGranted();
                world.after(keepsNanos(), asking.client, semaphore::releaseAsync);
            }
        });
    }

    // --- by threads ---

    /** A thread takes no more before it has released what it has: it would wait for itself. */
    private void takeForThread(Taking asking, RSemaphore semaphore) {
        // The first thread closes its client.
        SimulatedThread thread = asking.client.thread(1 + chance.below(SimulatedClient.THREADS - 1));
        if (thread.isBusy() || !owing.add(thread)) {
            return;
        }
        CompletableFuture<Boolean> outcome = new CompletableFuture<>();
        made(asking, outcome, taken -> {});
        thread.execute(() -> {
            try {
                boolean taken = semaphore.tryAcquire(asking.permits, asking.wait);
                outcome.complete(taken);
                if (taken) {
                    String owner = ownerOf(asking, thread);
                    world.after(
                            keepsNanos(),
                            asking.client,
                            () -> thread.execute(() -> giveBack(asking, thread, owner, semaphore)));
                } else {
                    owing.remove(thread);
                }
            } catch (AbandonedException crashed) {
                owing.remove(thread);
            } catch (RuntimeException | InterruptedException failure) {
                owing.remove(thread);
                outcome.completeExceptionally(failure);
            }
        });
    }

    /** Whose permits a thread has just taken, as the server knows the owner. */
    private String ownerOf(Taking asking, SimulatedThread thread) {
        return asking.client.api().holds().stream()
                .filter(hold -> hold.name().equals(sites.get(asking.object).name))
                .filter(hold ->
                        hold.threadName().filter(thread.getName()::equals).isPresent())
                .map(HeldLock::owner)
                .findFirst()
                .orElse("");
    }

    /** Each release gives back a permit of the thread's own, or tells of its loss (rule 123). */
    private void giveBack(Taking asking, SimulatedThread thread, String owner, RSemaphore semaphore) {
        try {
            for (int i = 0; i < asking.permits; i++) {
                wasGranted();
                boolean has = !owner.isEmpty() && isTaken(sites.get(asking.object), owner);
                try {
                    semaphore.release();
                    if (!has) {
                        world.fail("ME", asking + ": had no permit any more, and its release gave one back");
                    }
                } catch (LockLostException lost) {
                    wasLost(asking, true, lost.lossReason());
                } catch (LockException unknown) {
                    world.note(asking.client.name, "released: " + unknown);
                } catch (IllegalStateException none) {
                    world.fail("HC", asking + ": has permits to release, and " + none.getMessage());
                }
            }
        } catch (AbandonedException crashed) {
            world.note(asking.client.name, "has crashed while it gave a permit back");
        } finally {
            owing.remove(thread);
        }
    }

    private boolean isTaken(Site site, String owner) {
        return data().zrange(site.permits, 0, -1).stream()
                .anyMatch(field -> field.tojstring().startsWith(owner + ':'));
    }

    // --- by handles and ids ---

    private void has(Taking asking, List<LockHold> holds, boolean watched) {
        Site site = sites.get(asking.object);
        if (!holds.isEmpty() && holds.size() != asking.permits) {
            world.fail("ERR", asking + ": has " + holds.size());
        }
        for (LockHold hold : holds) {
            wasGranted();
            hold.onLost(loss -> wasLost(asking, watched || loss.reason() != LossReason.LEASE_EXPIRED, loss.reason()));
            boolean alive = hold.state() == HoldState.HELD && !isForgetful();
            if (alive && (hold.fencingToken() <= asking.earlierToken || !site.tokens.add(hold.fencingToken()))) {
                world.fail(
                        "FM",
                        asking + ": has token " + hold.fencingToken() + ", after " + asking.earlierToken
                                + ", or another permit has it");
            }
            site.highestToken = Math.max(site.highestToken, hold.fencingToken());
            world.after(keepsNanos(), asking.client, hold::releaseAsync);
        }
    }

    /** A permit is given back by its id, now and then by another client, or kept longer before. */
    private void keep(Taking asking, String id) {
        wasGranted();
        String name = sites.get(asking.object).name;
        SimulatedClient other = clients.get(chance.below(clients.size()));
        SimulatedClient by = chance.onceIn(3) && !other.isCrashed() ? other : asking.client;
        long keeps = keepsNanos();
        if (chance.onceIn(4)) {
            world.after(keeps / 2, by, () -> by.api()
                    .getPermitExpirableSemaphore(name)
                    .updateLeaseTimeAsync(id, 2_500, TimeUnit.MILLISECONDS));
        }
        world.after(keeps, by, () -> {
            if (by != asking.client) {
                givenBack.add(id.substring(0, id.lastIndexOf(':')));
            }
            by.api().getPermitExpirableSemaphore(name).tryReleaseAsync(id);
        });
        // The other client may have gone.
        world.after(
                keeps + 3 * SECOND,
                asking.client,
                () -> asking.client.api().getPermitExpirableSemaphore(name).tryReleaseAsync(id));
    }

    // --- the limit ---

    /** One change at a time, so that what an addition comes to is known. */
    private void change(SimulatedClient client, Site site, int permits) {
        if (site.isChanging || !client.isInUse() || isReturning()) {
            return;
        }
        Keyspace data = data();
        int limit = site.limit(data);
        long version = site.version(data);
        RPermitExpirableSemaphore semaphore = client.api().getPermitExpirableSemaphore(site.name);
        int added = permits > 0 || limit == 0 ? 0 : limit < LARGEST_LIMIT ? 1 : -1;
        CompletionStage<Void> change =
                added == 0 ? semaphore.setPermitsAsync(Math.max(1, permits)) : semaphore.addPermitsAsync(added);
        site.isChanging = true;
        boolean known = world.nanos() > site.doubtUntilNanos;
        change.whenComplete((done, failure) -> {
            site.isChanging = false;
            if (failure != null) {
                site.doubtUntilNanos = world.nanos() + DOUBT_NANOS;
            } else if (known && !isForgetful() && added != 0 && site.limit(data()) != limit + added) {
                world.fail(
                        "HC",
                        "semaphore " + site.name + ": its limit is " + site.limit(data()) + " after " + added
                                + " was added to " + limit + ", version " + version);
            }
        });
        world.after(DOUBT_NANOS, () -> {
            if (client.isCrashed()) {
                site.isChanging = false;
                site.doubtUntilNanos = world.nanos();
            }
        });
    }

    @Override
    void giveBack() {
        super.giveBack();
        sites.forEach(site -> site.isChanging = true);
        for (SimulatedClient client : clients) {
            world.after(0, client, () -> {
                if (client.isInUse()) {
                    sites.forEach(site ->
                            client.api().getPermitExpirableSemaphore(site.name).setPermitsAsync(LARGEST_LIMIT));
                }
            });
        }
    }

    @Override
    void gone(LuaString key, Keyspace.Cause cause) {
        for (Site site : sites) {
            if (key.equals(site.permits)) {
                site.releasedLast = cause == Keyspace.Cause.RELEASED;
            }
        }
    }

    // --- what must hold ---

    /** What is taken grows up to the limit and no further; lowering takes nothing away, so there may be more for a while. */
    @Override
    void ran(Request request, Keyspace data) {
        for (Site site : sites) {
            int taken = data.zrange(site.permits, 0, -1).size();
            int limit = site.limit(data);
            if (taken > site.taken && taken > limit) {
                world.fail("ME", "semaphore " + site.name + ": " + taken + " are taken of " + limit + " by " + request);
            }
            site.allowed = Math.max(limit, Math.min(site.allowed, taken));
            site.taken = taken;
        }
    }

    @Override
    void exclude() {
        if (isForgetful()) {
            return;
        }
        int[] valid = new int[sites.size()];
        for (SimulatedClient client : clients) {
            if (client.isCrashed() || !client.isRunning()) {
                continue;
            }
            for (HeldLock hold : client.api().holds()) {
                if (isValid(hold) && !givenBack.contains(hold.owner())) {
                    valid[semaphore(hold.name())]++;
                }
            }
        }
        for (int i = 0; i < valid.length; i++) {
            if (valid[i] > sites.get(i).allowed) {
                world.fail("ME", "semaphore " + i + ": " + valid[i] + " permits are valid, of " + sites.get(i).allowed);
            }
        }
    }

    private static boolean isValid(HeldLock hold) {
        return hold.kind() == HoldKind.PERMIT
                && isValid(hold.state())
                && !hold.validity().isZero();
    }

    private int semaphore(String name) {
        for (int i = 0; i < sites.size(); i++) {
            if (sites.get(i).name.equals(name)) {
                return i;
            }
        }
        throw new IllegalStateException("no semaphore " + name);
    }

    /** Whether the first in the queue would fit, or without a queue this call. */
    @Override
    boolean isFree(Asking asking) {
        Site site = sites.get(asking.object);
        Keyspace data = data();
        List<LuaString> first = data.zrange(site.queue, 0, 0);
        int wanted = first.isEmpty()
                ? ((Taking) asking).permits
                : Places.size(first.get(0).tojstring());
        return taken(site, data) + wanted <= site.limit(data);
    }

    @Override
    boolean isHeardOf(Asking asking) {
        return sites.get(asking.object).releasedLast;
    }

    /** How many are taken whose time is not over. */
    private static long taken(Site site, Keyspace data) {
        return data.zrange(site.permits, 0, -1).stream()
                .filter(field -> 1_000 * Objects.requireNonNull(data.zscore(site.permits, field)) > data.micros())
                .count();
    }
}
