package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * Owners that take fair locks, await conditions of them, and signal (rules 63, 64): they exclude each other as owners of locks do, no
 * call that awaits returns without the lock, and what becomes of each in its condition is what {@link ConditionChecker} says.
 */
final class ConditionOwners extends SharedOwners {

    private static final List<String> CONDITIONS = List.of("default", "filled");
    private static final long LONGEST_LIMIT_MILLIS = 4_000;
    private static final long AGAIN_NANOS = 3 * SECOND;
    private static final int FIRST_THREAD = 1_000;

    /** What is known of one lock. */
    private static final class Site {

        final String name;
        final LuaString key;
        long highestToken;

        Site(String name) {
            this.name = name;
            this.key = LuaString.valueOf(Workload.Scene.CONDITIONS.key(name));
        }
    }

    private final List<Site> sites;
    private final ConditionChecker checker;
    private final Map<String, Awaited> awaits = new HashMap<>();
    private final boolean forceful;
    private final long leaseMillis;
    private int threads = FIRST_THREAD;

    ConditionOwners(Ground ground, Climate climate, ClientOptions options) {
        super(ground);
        this.sites = names.stream().map(Site::new).toList();
        this.checker = new ConditionChecker(world, awaits::get, () -> calm || climate.reachesServers());
        this.forceful = climate.forceful();
        this.leaseMillis = options.lockOptions().watchdogLease().toMillis();
    }

    // --- what they do ---

    /** What an owner, which is a thread of its own each time, is to do with the lock. */
    private record Task(SimulatedClient client, int object, long thread, int levels, long leaseMillis, RLock lock) {

        String owner() {
            return client.api().id() + ':' + thread;
        }

        RCondition condition(String name) {
            return lock.newCondition(name);
        }

        @Override
        public String toString() {
            return client.name + ", thread " + thread;
        }
    }

    @Override
    void next() {
        SimulatedClient client = anyClient();
        int lock = chance.below(sites.size());
        if (forceful && chance.onceIn(40)) {
            world.after(0, client, () -> {
                if (client.isInUse()) {
                    client.api().getFairLock(sites.get(lock).name).forceUnlockAsync();
                }
            });
            return;
        }
        boolean awaits = chance.onceIn(2);
        String condition = CONDITIONS.get(chance.below(CONDITIONS.size()));
        Duration wait = patience();
        int levels = chance.onceIn(4) ? 2 : 1;
        long lease = chance.onceIn(4) ? chance.between(1_500, 4_000) : -1;
        long cancelNanos = cancelNanos();
        world.after(0, client, () -> {
            if (client.isInUse()) {
                RLock of = client.api().getFairLock(sites.get(lock).name);
                take(new Task(client, lock, ++threads, levels, lease, of), wait, cancelNanos, awaits, condition);
            }
        });
    }

    private void take(Task task, Duration wait, long cancelNanos, boolean awaits, String condition) {
        Asking asking = new Asking(task.client, task.object, "lock " + task.object + " as thread " + task.thread, wait);
        CompletionStage<Boolean> first = wait.equals(FOR_EVER)
                ? task.lock
                        .lockAsync(task.leaseMillis, TimeUnit.MILLISECONDS, task.thread)
                        .thenApply(done -> true)
                : task.lock.tryLockAsync(wait.toMillis(), task.leaseMillis, TimeUnit.MILLISECONDS, task.thread);
        CompletableFuture<Boolean> call = made(asking, first, taken -> {
            if (taken) {
                wasGranted();
                again(task, () -> act(task, awaits && !isReturning(), condition));
            }
        });
        cancelAfter(wait.equals(FOR_EVER) ? -1 : cancelNanos, task.client, call);
    }

    /** Takes the other levels. */
    private void again(Task task, Runnable then) {
        if (task.levels == 1) {
            then.run();
            return;
        }
        task.lock
                .tryLockAsync(0, task.leaseMillis, TimeUnit.MILLISECONDS, task.thread)
                .whenComplete((taken, failure) -> {
                    if (failure == null && taken) {
                        then.run();
                    } else {
                        unlock(task, 1);
                    }
                });
    }

    private void act(Task task, boolean awaits, String condition) {
        seesToken(task, 0);
        if (awaits) {
            await(task, condition);
            return;
        }
        int signals = chance.below(3);
        for (int i = 0; i < signals; i++) {
            RCondition signalled = task.condition(i == 0 ? condition : CONDITIONS.get(chance.below(CONDITIONS.size())));
            if (chance.onceIn(4)) {
                signalled.signalAllAsync(task.thread);
            } else {
                signalled.signalAsync(task.thread);
            }
        }
        world.after(keepsNanos(), task.client, () -> unlock(task, task.levels));
    }

    private void unlock(Task task, int levels) {
        for (int i = 0; i < levels; i++) {
            task.lock.unlockAsync(task.thread).whenComplete((done, failure) -> {
                if (failure != null && calm && task.leaseMillis < 0) {
                    world.fail("ERR", task + ": has lost the lock for no reason: " + failure);
                }
            });
        }
    }

    // --- to await ---

    private void await(Task task, String condition) {
        // A level may have been lost on the way.
        int levels = levels(task);
        long limitMillis = chance.onceIn(2) ? chance.below(LONGEST_LIMIT_MILLIS) : -1;
        long tokenBefore = seesToken(task, 0);
        RCondition of = task.condition(condition);
        Awaited awaited = new Awaited(task.client, task.toString(), limitMillis);
        awaits.put(task.owner(), awaited);
        CompletionStage<Boolean> call = limitMillis < 0
                ? of.awaitAsync(task.thread).thenApply(done -> true)
                : of.awaitAsync(limitMillis, TimeUnit.MILLISECONDS, task.thread);
        CompletableFuture<Boolean> future = call.toCompletableFuture();
        future.whenComplete((signalled, failure) -> {
            awaited.ended();
            if (failure == null) {
                returned(task, awaited, signalled, tokenBefore, levels);
            } else if (calm && task.leaseMillis < 0 && !future.isCancelled()) {
                world.fail("ERR", task + ": has awaited in vain: " + failure);
            }
        });
        if (limitMillis >= 0 && chance.onceIn(8)) {
            cancelAfter(chance.below(SECOND), task.client, future);
        }
    }

    private void returned(Task task, Awaited awaited, boolean signalled, long tokenBefore, int before) {
        wasGranted();
        if (!isForgetful()) {
            awaited.returned(world, signalled);
        }
        int levels = levels(task);
        if (levels != before && (calm || levels != 0)) {
            world.fail("HC", task + ": has " + levels + " levels after it awaited with " + before);
        }
        seesToken(task, tokenBefore);
        world.after(keepsNanos(), task.client, () -> unlock(task, task.levels));
    }

    private static int levels(Task task) {
        return task.lock.getHoldCountAsync(task.thread).toCompletableFuture().getNow(0);
    }

    /** The token of an owner that has just been granted the lock, or 0 if that is over already. */
    private long seesToken(Task task, long before) {
        HeldLock hold = held(task);
        if (hold == null) {
            return 0;
        }
        Site site = sites.get(task.object);
        long token = hold.fencingToken().orElseThrow();
        if (!isForgetful() && !isDoubted(task.owner()) && (token < site.highestToken || token <= before)) {
            world.fail("FM", task + ": has token " + token + ", after " + site.highestToken + ", before it " + before);
        }
        site.highestToken = Math.max(site.highestToken, token);
        return token;
    }

    private static @Nullable HeldLock held(Task task) {
        for (HeldLock hold : task.client.api().holds()) {
            if (hold.owner().equals(task.owner()) && isValid(hold)) {
                return hold;
            }
        }
        return null;
    }

    private static boolean isValid(HeldLock hold) {
        return isValid(hold.state()) && !hold.validity().isZero();
    }

    /** All that still await are signalled, until none is left. */
    @Override
    void giveBack() {
        super.giveBack();
        signalAll();
    }

    private void signalAll() {
        if (awaits.values().stream().allMatch(Awaited::isOver)) {
            return;
        }
        SimulatedClient client = anyClient();
        for (int lock = 0; lock < sites.size(); lock++) {
            RLock of = client.api().getFairLock(sites.get(lock).name);
            Task task = new Task(client, lock, ++threads, 1, leaseMillis, of);
            world.after(0, client, () -> task.lock
                    .lockAsync(task.leaseMillis, TimeUnit.MILLISECONDS, task.thread)
                    .thenRun(() -> {
                        CONDITIONS.forEach(name -> task.condition(name).signalAllAsync(task.thread));
                        unlock(task, 1);
                    }));
        }
        world.after(AGAIN_NANOS, this::signalAll);
    }

    // --- what happens to them ---

    @Override
    void crashed(SimulatedClient client) {
        super.crashed(client);
        awaits.values().stream().filter(each -> each.client == client).forEach(Awaited::ended);
    }

    @Override
    void lostData() {
        super.lostData();
        checker.lostData();
    }

    @Override
    void ran(Request request, Keyspace data) {
        checker.ran(request, data);
    }

    // --- what must hold ---

    @Override
    void exclude() {
        List<List<String>> holders = new ArrayList<>();
        sites.forEach(site -> holders.add(new ArrayList<>()));
        for (SimulatedClient client : clients) {
            if (client.isRunning()) {
                for (HeldLock hold : client.api().holds()) {
                    if (isValid(hold) && !isDoubted(hold.owner())) {
                        holders.get(names.indexOf(hold.name())).add(hold.owner());
                    }
                }
            }
        }
        holders.forEach(all -> {
            if (all.size() > 1) {
                world.fail("ME", "one lock is held by " + all);
            }
        });
    }

    @Override
    void look(long calmFromNanos) {
        super.look(calmFromNanos);
        checker.look(awaits.values(), calmFromNanos);
    }

    @Override
    boolean isFree(Asking asking) {
        return !data().exists(sites.get(asking.object).key);
    }

    @Override
    boolean isHeardOf(Asking asking) {
        return false;
    }

    @Override
    void allEnded() {
        super.allEnded();
        awaits.values().stream()
                .filter(each -> !each.isOver())
                .findFirst()
                .ifPresent(each -> world.fail("LV", each + " still awaits in the end"));
    }
}
