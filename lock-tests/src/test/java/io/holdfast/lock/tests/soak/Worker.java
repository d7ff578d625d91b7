package io.holdfast.lock.tests.soak;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.soak.Tally.End;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that takes locks in every way there is, uses them and gives them back, one after the other. It reports each
 * hold as a {@link Claim}, counts how calls ended, and reports what must never be: an exception that the interface does
 * not promise, or a call that does not end.
 */
final class Worker implements Runnable {

    private static final int LONGEST_WAIT_MILLIS = 2_500;
    private static final int SHORTEST_LEASE_MILLIS = 200;
    private static final int LONGEST_WORK_MILLIS = 40;
    /** Now and then, out of 100, somebody works longer than his lease. */
    private static final int LONG_WORK_SHARE = 2;

    private static final int LONG_WORK_MILLIS = 3_500;

    private final String name;
    private final Random random;
    private final SoakClients clients;
    private final ScheduledExecutorService timers;
    private final Tally tally;
    private final Consumer<String> reports;

    private long callNumber;
    private volatile @Nullable String call;
    private volatile long callStartNanos;
    private volatile boolean stopped;

    Worker(
            String name,
            long seed,
            SoakClients clients,
            ScheduledExecutorService timers,
            Tally tally,
            Consumer<String> reports) {
        this.name = name;
        this.random = new Random(seed);
        this.clients = clients;
        this.timers = timers;
        this.tally = tally;
        this.reports = reports;
    }

    @Override
    public void run() {
        while (!stopped) {
            RLock lock = clients.lock(random);
            try {
                operate(lock);
            } catch (LockOutcomeUnknownException unknown) {
                tally.add(End.UNKNOWN);
            } catch (LockUnavailableException failed) {
                tally.add(End.FAILED);
            } catch (LockLostException lost) {
                tally.add(End.LOST);
            } catch (InterruptedException interrupted) {
                tally.add(End.INTERRUPTED);
            } catch (RuntimeException | Error wrong) {
                wrong(lock, wrong);
            }
            ended();
            Pause.millis(random.nextInt(4));
        }
    }

    void stop() {
        stopped = true;
    }

    /** What the worker has been waiting for, for longer than that. */
    Optional<String> stuckFor(long nanos) {
        String present = call;
        return present != null && System.nanoTime() - callStartNanos > nanos
                ? Optional.of(name + ": " + present)
                : Optional.empty();
    }

    private void operate(RLock lock) throws InterruptedException {
        switch (random.nextInt(12)) {
            case 0, 1 -> tryLock(lock, -1);
            case 2, 3 -> tryLock(lock, leaseMillis());
            case 4 -> tryLockOnce(lock);
            case 5 -> lockInterruptibly(lock);
            case 6 -> reenter(lock);
            case 7, 8 -> acquire(lock);
            case 9 -> acquireAsync(lock);
            case 10 -> tryLockAsync(lock);
            default -> extend(lock);
        }
    }

    // --- ways to take a lock ---

    private void tryLock(RLock lock, long lease) throws InterruptedException {
        begin("tryLock", lock);
        granted(lock, lock.tryLock(waitMillis(), lease, TimeUnit.MILLISECONDS), Held.byThread(lock));
    }

    private void tryLockOnce(RLock lock) {
        begin("tryLock()", lock);
        granted(lock, lock.tryLock(), Held.byThread(lock));
    }

    private void lockInterruptibly(RLock lock) throws InterruptedException {
        begin("lockInterruptibly", lock);
        boolean locked = false;
        try (Interruption interruption = Interruption.in(random.nextInt(600), timers)) {
            lock.lockInterruptibly();
            locked = true;
        } finally {
            if (locked) {
                granted(lock, true, Held.byThread(lock));
            }
        }
    }

    private void reenter(RLock lock) throws InterruptedException {
        begin("tryLock, twice", lock);
        Held held = Held.byThread(lock);
        if (!lock.tryLock(waitMillis(), TimeUnit.MILLISECONDS)) {
            tally.add(End.REFUSED);
            return;
        }
        try {
            if (lock.tryLock(0, leaseMillis(), TimeUnit.MILLISECONDS)) {
                tally.add(End.REENTERED);
                release(held);
            } else if (held.isValid()) {
                reports.accept("wrong " + name + ": the owner of " + lock.getName() + " was refused to enter again");
            }
        } catch (LockLostException lost) {
            tally.add(End.LOST);
        } catch (LockOutcomeUnknownException unknown) {
            tally.add(End.UNKNOWN);
        } catch (LockUnavailableException failed) {
            tally.add(End.FAILED);
        }
        granted(lock, true, held);
    }

    private void acquire(RLock lock) throws InterruptedException {
        begin("tryAcquire", lock);
        Duration wait = Duration.ofMillis(waitMillis());
        Optional<LockHold> hold =
                random.nextBoolean() ? lock.tryAcquire(wait) : lock.tryAcquire(wait, Duration.ofMillis(leaseMillis()));
        granted(lock, hold.isPresent(), hold.map(Held::byHandle).orElse(null));
    }

    /** Half of the futures are cancelled if they take longer than a moment. */
    private void acquireAsync(RLock lock) throws InterruptedException {
        begin("tryAcquireAsync", lock);
        RFuture<Optional<LockHold>> future = lock.tryAcquireAsync(Duration.ofMillis(waitMillis()));
        if (random.nextBoolean()) {
            try {
                future.get(random.nextInt(30), TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                if (future.cancel(true)) {
                    tally.add(End.CANCELLED);
                    return;
                }
            } catch (ExecutionException failed) {
                // Thrown again by await.
                ended();
            }
        }
        Optional<LockHold> hold = Calls.await(future);
        granted(lock, hold.isPresent(), hold.map(Held::byHandle).orElse(null));
    }

    private void tryLockAsync(RLock lock) {
        begin("tryLockAsync", lock);
        long owner = 1L << 40 | random.nextLong() >>> 24;
        boolean locked = Calls.await(lock.tryLockAsync(waitMillis(), leaseMillis(), TimeUnit.MILLISECONDS, owner));
        granted(lock, locked, Held.byNumber(lock, owner));
    }

    private void extend(RLock lock) throws InterruptedException {
        begin("tryAcquire and extend", lock);
        Optional<LockHold> hold =
                lock.tryAcquire(Duration.ofMillis(waitMillis()), Duration.ofMillis(SHORTEST_LEASE_MILLIS));
        if (hold.isPresent()) {
            try {
                hold.get().ensure(Duration.ofMillis(leaseMillis() / 2));
                hold.get().extend(Duration.ofMillis(leaseMillis()));
            } catch (LockOutcomeUnknownException unknown) {
                tally.add(End.UNKNOWN);
            } catch (LockUnavailableException failed) {
                tally.add(End.FAILED);
            } catch (LockLostException lost) {
                // Told once more, and counted, by the release.
                ended();
            }
        }
        granted(lock, hold.isPresent(), hold.map(Held::byHandle).orElse(null));
    }

    // --- holding it ---

    private void granted(RLock lock, boolean locked, @Nullable Held held) {
        if (!locked || held == null) {
            tally.add(End.REFUSED);
            return;
        }
        tally.add(End.GRANTED);
        begin("work under", lock);
        Turn turn = new Turn(lock.getName(), name + "/" + ++callNumber, held);
        turn.look();
        try {
            work(lock, held, turn);
        } catch (LockLostException lost) {
            // Told once more, and counted, by the release.
            ended();
        } finally {
            begin("release of", lock);
            turn.look();
            turn.endsNow();
            release(held);
            reports.accept("claim " + turn.claim().line());
        }
    }

    private void work(RLock lock, Held held, Turn turn) {
        long token = held.token();
        turn.token(token);
        if (token == 0) {
            Pause.millis(random.nextInt(LONGEST_WORK_MILLIS));
            turn.look();
            return;
        }
        Counter counter = clients.counter(lock);
        Optional<Long> before = counter.read(token);
        boolean longer = random.nextInt(100) < LONG_WORK_SHARE;
        Pause.millis(random.nextInt(longer ? LONG_WORK_MILLIS : LONGEST_WORK_MILLIS));
        turn.look();
        // Without a look at the hold's state: the token is what protects the counter.
        before.ifPresent(number -> {
            Counter.Written written = counter.write(number + 1, token);
            turn.wrote(number + 1, written);
            if (written == Counter.Written.YES) {
                tally.add(End.WRITTEN);
            } else if (written == Counter.Written.NO) {
                tally.add(End.FENCED_OFF);
            }
        });
    }

    /** Gives back one level; tries again where nothing happened. */
    private void release(Held held) {
        boolean triedBefore = false;
        long startNanos = System.nanoTime();
        while (true) {
            try {
                held.release();
                return;
            } catch (LockLostException lost) {
                tally.add(End.LOST);
                return;
            } catch (LockOutcomeUnknownException unknown) {
                tally.add(End.UNKNOWN);
                return;
            } catch (LockUnavailableException failed) {
                tally.add(End.FAILED);
                if (System.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(Calls.LONGEST_SECONDS)) {
                    throw failed;
                }
                triedBefore = true;
                Pause.millis(20);
            } catch (LockNotHeldException gone) {
                if (triedBefore) {
                    return;
                }
                throw gone;
            }
        }
    }

    // --- chance, and reports ---

    private long waitMillis() {
        return random.nextInt(LONGEST_WAIT_MILLIS);
    }

    private long leaseMillis() {
        return SHORTEST_LEASE_MILLIS
                + random.nextInt((int) SoakClients.LONGEST_LEASE.toMillis() - SHORTEST_LEASE_MILLIS);
    }

    private void begin(String what, RLock lock) {
        callStartNanos = System.nanoTime();
        call = what + " " + lock.getName();
    }

    private void ended() {
        call = null;
    }

    private void wrong(RLock lock, Throwable wrong) {
        String during = call;
        String kind = wrong instanceof LockException ? "a failure without a cause: " : "";
        reports.accept("wrong " + name + ", " + during + " (" + lock.getName() + "): " + kind
                + String.valueOf(wrong).replace('\n', ' ') + " at " + wrong.getStackTrace()[0]);
    }
}
