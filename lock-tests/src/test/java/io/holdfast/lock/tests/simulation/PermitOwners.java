package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldKind;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RSemaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.luaj.vm2.LuaString;

/**
 * Owners that take permits of the same semaphores, one or several in a call, as handles, by their ids or for their client, and
 * others that change the limits (rules 55 to 57); and what must hold for them together.
 */
final class PermitOwners implements SharedOwners {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long SLACK_NANOS = 2 * SECOND;
    private static final long PROMPT_NANOS = 600 * MILLI;
    /** A poll of the head, the window of one that does not come, and what clocks and timers are late. */
    private static final long AT_WORST_NANOS = 7_500 * MILLI;
    /** How long a change whose answer was lost may still be on its way. */
    private static final long DOUBT_NANOS = 10 * SECOND;
    /** Calls that wait without a limit. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private static final int LARGEST_LIMIT = 5;
    private static final int LARGEST_CALL = 3;

    private static final LuaString LIMIT = LuaString.valueOf("limit");
    private static final LuaString VERSION = LuaString.valueOf("version");

    /** How permits are taken. */
    private enum Form {
        HANDLES,
        IDS,
        OF_CLIENT
    }

    /** A call that waits. */
    private static final class Asking {

        final SimulatedClient client;
        final int semaphore;
        final Form form;
        final int permits;
        final Duration wait;
        final long startNanos;
        final long pausedBefore;
        /** The highest token that any owner was told when it began. */
        final long earlierToken;

        Asking(
                SimulatedClient client,
                int semaphore,
                Form form,
                int permits,
                Duration wait,
                long startNanos,
                long earlierToken) {
            this.client = client;
            this.semaphore = semaphore;
            this.form = form;
            this.permits = permits;
            this.wait = wait;
            this.startNanos = startNanos;
            this.pausedBefore = client.pausedNanos();
            this.earlierToken = earlierToken;
        }

        @Override
        public String toString() {
            return client.name + " waits for " + permits + " of semaphore " + semaphore + " as " + form;
        }
    }

    /** One semaphore at the server, and what is known of it. */
    private static final class Site {

        final String name;
        final LuaString permits;
        final LuaString limit;
        final LuaString queue;
        /** How many may be valid: the limit, or what was taken when it was lowered and has not come back. */
        int allowed;

        int taken;
        long highestToken;
        final Set<Long> tokens = new HashSet<>();
        /** Until when all was taken that is asked for. */
        long busyUntilNanos;

        boolean releasedLast;
        boolean isChanging;
        long doubtUntilNanos;

        Site(String name) {
            this.name = name;
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

    private final World world;
    private final Chance chance;
    private final List<SimulatedClient> clients;
    private final SimulatedServer server;
    private final List<Site> sites;
    private final List<Asking> open = new ArrayList<>();
    /** Owners of permits that another client has given back: they learn of it at the next renewal. */
    private final Set<String> givenBack = new HashSet<>();

    /** Whether nothing goes wrong: then no permit is lost but by its own lease. */
    private final boolean calm;

    private boolean returning;
    private boolean forgetful;
    private int asked;
    private int granted;
    private int lost;

    PermitOwners(
            World world,
            Chance chance,
            List<SimulatedClient> clients,
            SimulatedServer server,
            List<String> names,
            boolean calm) {
        this.world = world;
        this.chance = chance;
        this.clients = clients;
        this.server = server;
        this.sites = names.stream().map(Site::new).toList();
        this.calm = calm;
    }

    // --- what they do ---

    @Override
    public void next() {
        List<SimulatedClient> usable =
                clients.stream().filter(SimulatedClient::isInUse).toList();
        SimulatedClient client = usable.get(chance.below(usable.size()));
        int semaphore = chance.below(sites.size());
        Site site = sites.get(semaphore);
        if (site.limit(server.keys()) == 0 || chance.onceIn(12)) {
            int lot = chance.below(3);
            int permits = lot == 0 ? 1 + chance.below(2) : lot == 1 ? -1 : 1 + chance.below(LARGEST_LIMIT);
            world.after(0, client, () -> change(client, site, permits));
            return;
        }
        int lot = chance.below(100);
        Form form = lot < 60 ? Form.HANDLES : lot < 85 ? Form.IDS : Form.OF_CLIENT;
        int permits = chance.onceIn(2) ? 1 : 1 + chance.below(LARGEST_CALL);
        Duration wait = patience();
        long leaseMillis = chance.onceIn(3) ? chance.between(1_100, 4_000) : -1;
        long cancelNanos = chance.onceIn(8) ? chance.below(2 * SECOND) : -1;
        world.after(0, client, () -> {
            if (client.isInUse()) {
                take(
                        new Asking(client, semaphore, form, permits, wait, world.nanos(), site.highestToken),
                        leaseMillis,
                        cancelNanos);
            }
        });
    }

    private Duration patience() {
        int lot = chance.below(5);
        return lot == 0 ? Duration.ZERO : lot < 4 ? Duration.ofMillis(chance.below(lot == 1 ? 100 : 6_000)) : FOR_EVER;
    }

    private void take(Asking asking, long leaseMillis, long cancelNanos) {
        asked++;
        open.add(asking);
        String name = sites.get(asking.semaphore).name;
        CompletableFuture<?> call =
                switch (asking.form) {
                    case HANDLES ->
                        takeHandles(asking, asking.client.api().getPermitExpirableSemaphore(name), leaseMillis);
                    case IDS -> takeIds(asking, asking.client.api().getPermitExpirableSemaphore(name), leaseMillis);
                    case OF_CLIENT -> takeForClient(asking, asking.client.api().getSemaphore(name));
                };
        if (cancelNanos >= 0) {
            world.after(cancelNanos, asking.client, () -> call.cancel(false));
        }
    }

    private CompletableFuture<?> takeHandles(Asking asking, RPermitExpirableSemaphore semaphore, long leaseMillis) {
        Duration lease = leaseMillis < 0 ? Duration.ofMillis(5_000) : Duration.ofMillis(leaseMillis);
        if (asking.permits == 1 && leaseMillis < 0) {
            return ended(
                    asking,
                    semaphore.tryAcquireHoldAsync(asking.wait),
                    hold -> has(asking, hold.stream().toList(), true));
        }
        return ended(
                asking,
                semaphore.tryAcquireHoldsAsync(asking.permits, asking.wait, lease),
                holds -> has(asking, holds, false));
    }

    private CompletableFuture<?> takeIds(Asking asking, RPermitExpirableSemaphore semaphore, long leaseMillis) {
        boolean forEver = asking.wait.equals(FOR_EVER);
        CompletionStage<List<String>> call = forEver
                ? semaphore.acquireAsync(asking.permits, leaseMillis, TimeUnit.MILLISECONDS)
                : semaphore.tryAcquireAsync(asking.permits, asking.wait.toMillis(), leaseMillis, TimeUnit.MILLISECONDS);
        return ended(asking, call, ids -> ids.forEach(id -> keep(asking, id)));
    }

    private CompletableFuture<?> takeForClient(Asking asking, RSemaphore semaphore) {
        return ended(asking, semaphore.tryAcquireAsync(asking.permits, asking.wait), taken -> {
            for (int i = 0; taken && i < asking.permits; i++) {
                granted++;
                world.after(keepsNanos(), asking.client, semaphore::releaseAsync);
            }
        });
    }

    private <T> CompletableFuture<T> ended(Asking asking, CompletionStage<T> outcome, Consumer<T> then) {
        CompletableFuture<T> call = outcome.toCompletableFuture();
        call.whenComplete((result, failure) -> {
            open.remove(asking);
            long took = world.nanos() - asking.startNanos - (asking.client.pausedNanos() - asking.pausedBefore);
            if (took > asking.wait.toNanos() / 100 * 101 + SLACK_NANOS) {
                world.fail("LV", asking + ": has ended after " + took / MILLI + " ms, with a wait of " + asking.wait);
            }
            if (failure == null) {
                then.accept(result);
            }
        });
        return call;
    }

    private long keepsNanos() {
        int lot = chance.below(10);
        long keeps = lot < 5 ? chance.below(5 * MILLI) : lot < 8 ? chance.below(200 * MILLI) : chance.below(2 * SECOND);
        return returning ? 0 : keeps;
    }

    private void has(Asking asking, List<LockHold> holds, boolean watched) {
        Site site = sites.get(asking.semaphore);
        if (!holds.isEmpty() && holds.size() != asking.permits) {
            world.fail("ERR", asking + ": has " + holds.size());
        }
        for (LockHold hold : holds) {
            granted++;
            hold.onLost(loss -> {
                lost++;
                if (calm && (watched || loss.reason() != LossReason.LEASE_EXPIRED)) {
                    world.fail("ERR", asking + ": was granted, and lost it for no reason: " + loss.reason());
                }
            });
            boolean alive = hold.state() == HoldState.HELD && !forgetful;
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
    private void keep(Asking asking, String id) {
        granted++;
        String name = sites.get(asking.semaphore).name;
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
        if (site.isChanging || !client.isInUse() || returning) {
            return;
        }
        Keyspace data = server.keys();
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
            } else if (known && !forgetful && added != 0 && site.limit(server.keys()) != limit + added) {
                world.fail(
                        "HC",
                        "semaphore " + site.name + ": its limit is " + site.limit(server.keys()) + " after " + added
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
    public void giveBack() {
        returning = true;
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
    public void crashed(SimulatedClient client) {
        open.removeIf(asking -> asking.client == client);
    }

    @Override
    public void lostData() {
        forgetful = true;
    }

    @Override
    public void gone(LuaString key, boolean released) {
        for (Site site : sites) {
            if (key.equals(site.permits)) {
                site.releasedLast = released;
            }
        }
    }

    // --- what must hold ---

    /** What is taken grows up to the limit and no further; lowering takes nothing away, so there may be more for a while. */
    @Override
    public void ran(Request request, Keyspace data) {
        for (Site site : sites) {
            int taken = data.members(site.permits, 0, -1).size();
            int limit = site.limit(data);
            if (taken > site.taken && taken > limit) {
                world.fail("ME", "semaphore " + site.name + ": " + taken + " are taken of " + limit + " by " + request);
            }
            site.allowed = Math.max(limit, Math.min(site.allowed, taken));
            site.taken = taken;
        }
    }

    @Override
    public void exclude() {
        if (forgetful) {
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
                && (hold.state() == HoldState.HELD || hold.state() == HoldState.UNCERTAIN)
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

    @Override
    public void lookForIdleLocks(long calmFromNanos) {
        for (int i = 0; i < sites.size(); i++) {
            Site site = sites.get(i);
            for (Asking asking : open) {
                if (asking.semaphore == i && !mayEnter(site, asking)) {
                    site.busyUntilNanos = world.nanos();
                }
            }
            for (Asking asking : open) {
                if (asking.semaphore == i && !asking.wait.isZero() && asking.client.isRunning()) {
                    look(site, asking, calmFromNanos);
                }
            }
        }
    }

    /** Whether the first in the queue would fit, or without a queue this call. */
    private boolean mayEnter(Site site, Asking asking) {
        Keyspace data = server.keys();
        List<LuaString> first = data.members(site.queue, 0, 0);
        int wanted = first.isEmpty() ? asking.permits : size(first.get(0).tojstring());
        return taken(site, data) + wanted <= site.limit(data);
    }

    /** How many are taken whose time is not over. */
    private static long taken(Site site, Keyspace data) {
        return data.members(site.permits, 0, -1).stream()
                .filter(field -> 1_000 * Objects.requireNonNull(data.zscore(site.permits, field)) > data.micros())
                .count();
    }

    /** How many permits a member of the queue stands for. */
    static int size(String member) {
        int times = member.indexOf('*');
        return times < 0 ? 1 : Integer.parseInt(member.substring(times + 1));
    }

    private void look(Site site, Asking asking, long calmFromNanos) {
        long since = Math.max(Math.max(site.busyUntilNanos, asking.startNanos), calmFromNanos);
        boolean prompt = calm && site.releasedLast;
        if (world.nanos() - since > (prompt ? PROMPT_NANOS : AT_WORST_NANOS)) {
            world.fail("NLW", asking + ", though there has been room for " + (world.nanos() - since) / MILLI + " ms");
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
