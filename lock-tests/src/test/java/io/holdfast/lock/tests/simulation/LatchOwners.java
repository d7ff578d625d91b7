package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RSignal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.luaj.vm2.LuaString;

/**
 * Callers that set latches, count them down, await and delete them, and that send and await signals (rules 58 to 60, 65). What each
 * is told is compared with what the server had while its call was open.
 */
final class LatchOwners extends SharedOwners {

    private static final int MOST_COUNTS = 4;
    private static final long HEARD_NANOS = 600 * MILLI;
    /** A poll, an answer, and what clocks and timers are late. */
    private static final long HEARD_AT_WORST_NANOS = 7_500 * MILLI;
    /** After so long a call that waits has seen a latch, if nothing is wrong, or never is. */
    private static final long LOOKED_NANOS = SECOND;

    private static final long LOOKED_SOON_NANOS = 200 * MILLI;
    /** What a call may go by when its time is over (rule 77), and what an answer takes. */
    private static final long TRUSTED_NANOS = 5_500 * MILLI;

    private static final long AGAIN_NANOS = 300 * MILLI;
    private static final long NEVER = Long.MIN_VALUE;

    private static final LuaString GENERATION = LuaString.valueOf("generation");
    private static final LuaString COUNT = LuaString.valueOf("count");
    private static final LuaString BY = LuaString.valueOf("by");

    /** A latch and a signal of one name at the server, and what is known of them. */
    private static final class Site {

        final String name;
        final LuaString latch;
        final LuaString counted;
        final LuaString signal;

        long generation;
        long left;
        /** When the server last had the latch open, had none, had it closed, or forgot data. */
        long openNanos = NEVER;

        long absentNanos;
        long closedNanos = NEVER;
        long lostNanos = NEVER;
        /** When it was last deleted, and last set by each client. */
        long deletedNanos = NEVER;

        final Map<String, Long> setNanos = new HashMap<>();
        /** The ids that have counted. */
        final Set<String> ids = new HashSet<>();
        /** By client: calls that were made, those that the server has counted, and those that were confirmed and had to count. */
        final Map<String, Integer> made = new HashMap<>();

        final Map<String, Integer> effective = new HashMap<>();
        final Map<String, Integer> owed = new HashMap<>();

        long number;
        long highestNumber;
        long numberSinceNanos;

        Site(String name) {
            String prefix = "holdfast:{" + name + '}';
            this.name = name;
            this.latch = LuaString.valueOf(prefix + ":latch");
            this.counted = LuaString.valueOf(prefix + ":latch:counted");
            this.signal = LuaString.valueOf(prefix + ":signal");
        }

        boolean isClosed() {
            return left > 0;
        }

        boolean wasNotClosedSince(long nanos) {
            return Math.max(openNanos, absentNanos) >= nanos;
        }
    }

    /** A call that waits for a latch or a signal. */
    private static final class Waiting extends Asking {

        /** The number that it knows; negative for a latch. */
        final long after;
        /** Since when the server has had what ends it; {@link #NEVER} while it has not. */
        long dueNanos = NEVER;
        /** When the server first had no latch; {@link #NEVER} if it always had one. */
        long goneNanos = NEVER;

        Waiting(SimulatedClient client, int object, String what, Duration wait, long after) {
            super(client, object, what, wait);
            this.after = after;
        }

        boolean isOfLatch() {
            return after < 0;
        }
    }

    private final List<Site> sites;
    /** The number that each receiver has seen. */
    private final Map<String, Long> seen = new HashMap<>();
    /** Until when something was wrong, as far as is known. */
    private long calmFromNanos;

    LatchOwners(Ground ground) {
        super(ground);
        this.sites = names.stream().map(Site::new).toList();
    }

    // --- what they do ---

    @Override
    void next() {
        SimulatedClient client = anyClient();
        int object = chance.below(sites.size());
        int lot = chance.below(100);
        Duration wait = patience();
        long cancelNanos = cancelNanos();
        int count = 1 + chance.below(MOST_COUNTS);
        world.after(0, client, () -> {
            if (client.isInUse()) {
                act(client, object, lot, wait, cancelNanos, count);
            }
        });
    }

    private void act(SimulatedClient client, int object, int lot, Duration wait, long cancelNanos, int count) {
        if (lot < 24) {
            awaitLatch(client, object, wait, cancelNanos);
        } else if (lot < 40) {
            set(client, object, count);
        } else if (lot < 66) {
            countDown(client, object);
        } else if (lot < 68) {
            delete(client, object);
        } else if (lot < 72) {
            getCount(client, object);
        } else if (lot < 84) {
            send(client, object);
        } else if (lot < 96) {
            awaitSignal(client, object, wait, cancelNanos);
        } else {
            current(client, object);
        }
    }

    private RCountDownLatch latch(SimulatedClient client, int object) {
        return client.api().getCountDownLatch(sites.get(object).name);
    }

    private RSignal signal(SimulatedClient client, int object) {
        return client.api().getSignal(sites.get(object).name);
    }

    /** A call that does not wait for others. */
    private <T> void ask(
            SimulatedClient client, int object, String what, CompletionStage<T> outcome, AnswerTo<T> answer) {
        Asking asking =
                new Asking(client, object, what + " of " + sites.get(object).name, calm ? Duration.ZERO : FOR_EVER);
        judgeFailure(asking, made(asking, outcome, result -> answer.judge(asking, result)));
    }

    /** What a call must be told. */
    private interface AnswerTo<T> {

        void judge(Asking asking, T result);
    }

    private void judgeFailure(Asking asking, CompletableFuture<?> call) {
        call.whenComplete((result, thrown) -> {
            Throwable failure = thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown;
            if (failure == null || failure instanceof CancellationException) {
                return;
            }
            Site site = sites.get(asking.object);
            boolean isGone = failure instanceof LockLostException;
            boolean isOutage = failure instanceof LockUnavailableException
                    || failure instanceof LockOutcomeUnknownException
                    || failure instanceof LockServerException
                    || failure instanceof LockClientClosedException;
            if (isGone && site.absentNanos < asking.startNanos && site.lostNanos < asking.startNanos) {
                world.fail("ERR", asking + ": is told that the latch is gone, which was there: " + failure);
            } else if (!isGone && (calm || !isOutage)) {
                world.fail("ERR", asking + ": has failed: " + failure);
            }
        });
    }

    // --- latches ---

    private void set(SimulatedClient client, int object, int count) {
        Site site = sites.get(object);
        String id = client.api().id();
        ask(client, object, "trySetCount", latch(client, object).trySetCountAsync(count), (asking, done) -> {
            boolean isSo = done
                    ? site.setNanos.getOrDefault(id, NEVER) >= asking.startNanos
                    : site.closedNanos >= asking.startNanos;
            if (!isSo && site.lostNanos < asking.startNanos) {
                world.fail("ERR", asking + ": is told " + done + ", and it is not so");
            }
        });
    }

    /** HC: a count that was confirmed has counted, but for a latch that opened meanwhile; and no call counts twice. */
    private void countDown(SimulatedClient client, int object) {
        Site site = sites.get(object);
        String id = client.api().id();
        site.made.merge(id, 1, Integer::sum);
        ask(client, object, "countDown", latch(client, object).countDownAsync(), (asking, done) -> {
            wasGranted();
            if (site.lostNanos != NEVER || site.wasNotClosedSince(asking.startNanos)) {
                return;
            }
            int owed = site.owed.merge(id, 1, Integer::sum);
            int effective = site.effective.getOrDefault(id, 0);
            if (owed > effective) {
                world.fail("HC", asking + ": " + owed + " counts were confirmed, and " + effective + " have counted");
            }
        });
    }

    private void delete(SimulatedClient client, int object) {
        Site site = sites.get(object);
        ask(client, object, "delete", latch(client, object).deleteAsync(), (asking, done) -> {
            long since = done ? Math.max(site.deletedNanos, site.lostNanos) : site.absentNanos;
            // Whose answer was lost can't know whether its own copy or another call has deleted a latch that is gone.
            boolean mayHaveDeleted = done && site.generation == 0 && calmFromNanos >= asking.startNanos;
            if (since < asking.startNanos && !mayHaveDeleted) {
                world.fail("ERR", asking + ": is told " + done + ", and it is not so");
            }
        });
    }

    private void getCount(SimulatedClient client, int object) {
        Site site = sites.get(object);
        ask(client, object, "getCount", latch(client, object).getCountAsync(), (asking, left) -> {
            boolean mayBe = left == 0
                    ? site.wasNotClosedSince(asking.startNanos)
                    : left <= MOST_COUNTS && site.closedNanos >= asking.startNanos;
            if (!mayBe) {
                world.fail("ERR", asking + ": is told " + left + ", and it was never so");
            }
        });
    }

    private void awaitLatch(SimulatedClient client, int object, Duration wait, long cancelNanos) {
        Site site = sites.get(object);
        Waiting waiting = new Waiting(client, object, "latch " + site.name, wait, -1);
        waiting.dueNanos = site.isClosed() ? NEVER : world.nanos();
        waiting.goneNanos = site.generation == 0 ? world.nanos() : NEVER;
        RCountDownLatch latch = latch(client, object);
        CompletionStage<Boolean> call = wait.equals(FOR_EVER)
                ? latch.awaitAsync().thenApply(nothing -> true)
                : latch.awaitAsync(wait.toNanos(), TimeUnit.NANOSECONDS);
        waits(waiting, call, cancelNanos, open -> {
            if (open) {
                wasGranted();
                judgeOpened(site, waiting);
            } else if (site.closedNanos < Math.max(waiting.startNanos, world.nanos() - TRUSTED_NANOS)
                    && client.wokenNanos() < waiting.startNanos) {
                world.fail("ERR", waiting + ": is told that it is closed, and it has not been for long");
            }
        });
    }

    /** ME: an await returns only if the latch was open meanwhile, or not there when it came. */
    private void judgeOpened(Site site, Waiting waiting) {
        boolean opened = site.openNanos >= waiting.startNanos;
        boolean wasAbsent = waiting.goneNanos != NEVER && !hadLooked(waiting, waiting.goneNanos);
        if (!opened && !wasAbsent) {
            world.fail("ME", waiting + ": goes on, and it has not opened");
        }
    }

    /** Whether a call had seen at a moment what it waits for. */
    private boolean hadLooked(Waiting waiting, long nanos) {
        long since = Math.max(waiting.startNanos, calmFromNanos);
        return nanos - since > (calm ? LOOKED_SOON_NANOS : LOOKED_NANOS)
                && waiting.client.wokenNanos() < waiting.startNanos;
    }

    // --- signals ---

    private void send(SimulatedClient client, int object) {
        Site site = sites.get(object);
        long before = site.highestNumber;
        ask(client, object, "send", signal(client, object).sendAsync(), (asking, number) -> {
            wasGranted();
            if (number <= before) {
                world.fail("FM", asking + ": has sent " + number + ", after " + before);
            }
            if (number > site.number && site.lostNanos < asking.startNanos) {
                world.fail("HC", asking + ": has sent " + number + ", but the server has " + site.number);
            }
        });
    }

    private void current(SimulatedClient client, int object) {
        Site site = sites.get(object);
        long before = site.number;
        ask(
                client,
                object,
                "current",
                signal(client, object).currentAsync(),
                (asking, number) -> judgeNumber(site, asking, before, number));
    }

    /** A number that is told is the server's, and none that it had before the call was made. */
    private void judgeNumber(Site site, Asking asking, long before, long number) {
        boolean isSo = number >= before && number <= site.number;
        if (!isSo && site.lostNanos < asking.startNanos) {
            world.fail("FM", asking + ": is told " + number + ", but it was " + before + " and is " + site.number);
        }
    }

    /** Now and then for any number that was ever sent, mostly for one that is greater than what was seen. */
    private void awaitSignal(SimulatedClient client, int object, Duration wait, long cancelNanos) {
        Site site = sites.get(object);
        String receiver = client.name + ' ' + site.name;
        long after = chance.onceIn(6) ? 0 : seen.getOrDefault(receiver, 0L);
        Waiting waiting = new Waiting(client, object, "signal " + site.name + " after " + after, wait, after);
        waiting.dueNanos = site.number > after ? world.nanos() : NEVER;
        long before = site.number;
        waits(waiting, signal(client, object).awaitAsync(after, wait), cancelNanos, told -> {
            if (told.isPresent()) {
                wasGranted();
                judgeTold(site, waiting, before, told);
                seen.merge(receiver, told.getAsLong(), Math::max);
            } else if (site.number > after
                    && site.numberSinceNanos < Math.max(waiting.startNanos, world.nanos() - TRUSTED_NANOS)
                    && waiting.dueNanos != NEVER
                    && waiting.dueNanos <= Math.max(waiting.startNanos, world.nanos() - TRUSTED_NANOS)
                    && client.wokenNanos() < waiting.startNanos) {
                world.fail("ERR", waiting + ": is told of none, and it is " + site.number);
            }
        });
    }

    private void judgeTold(Site site, Waiting waiting, long before, OptionalLong told) {
        long number = told.getAsLong();
        if (number <= waiting.after) {
            world.fail("FM", waiting + ": is told " + number);
        }
        judgeNumber(site, waiting, before, number);
    }

    private <T> void waits(Waiting waiting, CompletionStage<T> call, long cancelNanos, Consumer<T> judge) {
        CompletableFuture<T> future = made(waiting, call, judge);
        judgeFailure(waiting, future);
        cancelAfter(cancelNanos, waiting.client, future);
    }

    // --- the end ---

    /** Latches are counted down until they are open, and signals sent until no call waits. */
    @Override
    void giveBack() {
        super.giveBack();
        endWaits();
    }

    private void endWaits() {
        // A client that is paused may set a latch when it goes on.
        boolean isOver = open().isEmpty()
                && sites.stream().noneMatch(Site::isClosed)
                && clients.stream().allMatch(client -> client.isRunning() || client.isCrashed());
        if (isOver) {
            return;
        }
        for (int object = 0; object < sites.size(); object++) {
            int which = object;
            SimulatedClient client = anyClient();
            world.after(0, client, () -> {
                if (!client.isInUse()) {
                    return;
                }
                if (sites.get(which).isClosed()) {
                    countDown(client, which);
                }
                if (open().stream().anyMatch(each -> each instanceof Waiting waiting && !waiting.isOfLatch())) {
                    send(client, which);
                }
            });
        }
        world.after(AGAIN_NANOS, this::endWaits);
    }

    @Override
    void allEnded() {
        super.allEnded();
        for (Site site : sites) {
            if (site.isClosed()) {
                world.fail("LV", "latch " + site.name + " is closed in the end: " + site.left + " counts are missing");
            }
        }
    }

    // --- what the server does ---

    @Override
    void lostData() {
        super.lostData();
        for (Site site : sites) {
            site.lostNanos = world.nanos();
            site.ids.clear();
            site.number = 0;
            refresh(site, data());
        }
    }

    @Override
    void ran(Request request, Keyspace data) {
        for (Site site : sites) {
            long generation = site.generation;
            long left = site.left;
            refresh(site, data);
            if (request.isCallOf("latch-count") && request.key(1).equals(site.latch)) {
                counted(site, request.argument(1).tojstring(), generation, left);
            } else if (request.isCallOf("latch-set") && request.key(1).equals(site.latch)) {
                set(site, generation, left, data);
            } else if (request.isCallOf("latch-delete") && request.key(1).equals(site.latch)) {
                if (site.generation != generation) {
                    site.deletedNanos = world.nanos();
                    setAtOnce(site);
                }
            } else if (site.generation != generation || site.left != left) {
                world.fail("HC", "latch " + site.name + " was changed by " + request);
            }
        }
    }

    private void counted(Site site, String id, long generation, long left) {
        long step = left - site.left;
        if (generation != site.generation || step < 0 || step > 1) {
            world.fail("HC", "latch " + site.name + ": " + id + " has counted from " + left + " to " + site.left);
        }
        if (step == 0) {
            return;
        }
        if (!site.ids.add(id)) {
            world.fail("HC", "latch " + site.name + ": " + id + " has counted twice");
        }
        if (!site.isClosed()) {
            setAtOnce(site);
        }
        String client = id.substring(0, id.indexOf(':'));
        int effective = site.effective.merge(client, 1, Integer::sum);
        int made = site.made.getOrDefault(client, 0);
        if (effective > made && site.lostNanos == NEVER) {
            world.fail("HC", "latch " + site.name + ": " + effective + " have counted of " + made + " of " + client);
        }
    }

    /** Now and then the next round begins before anything has been heard of the end of this one. */
    private void setAtOnce(Site site) {
        if (!isReturning() && chance.onceIn(2)) {
            SimulatedClient client = anyClient();
            int count = 1 + chance.below(MOST_COUNTS);
            world.after(chance.below(2 * MILLI), client, () -> {
                if (client.isInUse()) {
                    set(client, sites.indexOf(site), count);
                }
            });
        }
    }

    private void set(Site site, long generation, long left, Keyspace data) {
        if (site.generation == generation) {
            return;
        }
        if (left > 0 || site.generation < generation) {
            world.fail("HC", "latch " + site.name + ": " + site.generation + " was set after " + generation);
        }
        LuaString by = data.hget(site.latch, BY);
        if (by != null) {
            String id = by.tojstring();
            site.setNanos.put(id.substring(0, id.indexOf(':')), world.nanos());
        }
    }

    private void refresh(Site site, Keyspace data) {
        long now = world.nanos();
        // What a script has found, which has just changed it.
        note(site, now);
        LuaString generation = data.hget(site.latch, GENERATION);
        LuaString count = data.hget(site.latch, COUNT);
        long counts = count == null ? 0 : count.tolong();
        site.generation = generation == null ? 0 : generation.tolong();
        site.left = counts > 0 ? counts - data.scard(site.counted) : 0;
        note(site, now);
        refreshNumber(site, data, now);
        due(site, now);
    }

    private static void note(Site site, long now) {
        if (site.isClosed()) {
            site.closedNanos = now;
        } else if (site.generation != 0) {
            site.openNanos = now;
        } else {
            site.absentNanos = now;
        }
    }

    private void refreshNumber(Site site, Keyspace data, long now) {
        LuaString text = data.get(site.signal);
        long number = text == null ? 0 : text.tolong();
        if (number < site.number) {
            world.fail("FM", "signal " + site.name + ": is " + number + " after " + site.number);
        }
        if (number != site.number) {
            site.numberSinceNanos = now;
        }
        site.number = number;
        site.highestNumber = Math.max(site.highestNumber, number);
    }

    /** Which calls have to end from now on: those that came before the latch opened stay so, if they have seen it closed. */
    private void due(Site site, long now) {
        for (Asking asking : open()) {
            if (!(asking instanceof Waiting waiting) || sites.get(waiting.object) != site) {
                continue;
            }
            boolean isDue = waiting.isOfLatch() ? !site.isClosed() : site.number > waiting.after;
            boolean stays = waiting.isOfLatch() && waiting.dueNanos != NEVER && hadLooked(waiting, waiting.dueNanos);
            if (site.generation == 0 && waiting.goneNanos == NEVER) {
                waiting.goneNanos = now;
            }
            if (!isDue && !stays) {
                waiting.dueNanos = NEVER;
            } else if (isDue && waiting.dueNanos == NEVER) {
                waiting.dueNanos = now;
            }
        }
    }

    // --- what must hold ---

    /** Nothing is held. */
    @Override
    void exclude() {}

    /** NLW: what waits hears soon of what ends its wait. */
    @Override
    void look(long calmFrom) {
        super.look(calmFrom);
        calmFromNanos = calmFrom;
        for (Site site : sites) {
            refresh(site, data());
        }
        for (Asking asking : List.copyOf(open())) {
            if (!(asking instanceof Waiting waiting) || waiting.dueNanos == NEVER || !waiting.client.isRunning()) {
                continue;
            }
            long since = Math.max(Math.max(waiting.dueNanos, calmFrom), waiting.client.wokenNanos());
            if (world.nanos() - since > (calm ? HEARD_NANOS : HEARD_AT_WORST_NANOS)) {
                world.fail("NLW", waiting + ", which has been to end for " + (world.nanos() - since) / MILLI + " ms");
            }
        }
    }

    /** See {@link #look}: none of them excludes another. */
    @Override
    boolean isFree(Asking asking) {
        return false;
    }

    @Override
    boolean isHeardOf(Asking asking) {
        return false;
    }
}
