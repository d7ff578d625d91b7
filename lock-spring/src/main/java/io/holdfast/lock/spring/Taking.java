package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The way to a grip: it joins the holdings that enclose the call, and takes a lock of the keys that are missing. */
final class Taking {

    private final LockRequest request;
    private final List<Holding> joined = new ArrayList<>(1);
    private final List<String> missing = new ArrayList<>(1);
    private volatile @Nullable RFuture<Optional<LockHold>> asked;

    /**
     * @throws io.holdfast.lock.LockLostException if a hold that encloses the call was lost
     * @throws IllegalStateException if one has a key as a kind that does not cover that of the call
     */
    Taking(LockRequest request, @Nullable Inside inside) {
        this.request = request;
        try {
            for (String key : request.keys()) {
                if (!isJoined(key)) {
                    Holding holding = join(inside, key);
                    if (holding == null) {
                        missing.add(key);
                    } else {
                        joined.add(holding);
                    }
                }
            }
            joined.forEach(Holding::check);
        } catch (RuntimeException refused) {
            leaveJoined();
            throw refused;
        }
    }

    private @Nullable Holding join(@Nullable Inside inside, String key) {
        LockClient client = request.client();
        Kind kind = request.kind();
        Holding found = Inside.join(inside, client, key, kind);
        Holding holding = found == null ? Kept.join(client, key, kind) : found;
        if (holding == null) {
            Holding around = Inside.keepingOut(inside, client, key, kind);
            Holding lesser = around == null ? Kept.keepingOut(client, key, kind) : around;
            if (lesser != null) {
                throw Failures.wouldWaitForItself(request, key, lesser.kind());
            }
        }
        return holding;
    }

    private boolean isJoined(String key) {
        for (Holding holding : joined) {
            if (holding.isOf(request.client(), key)) {
                return true;
            }
        }
        return false;
    }

    /** Waits for the lock; null if it was not granted in time. */
    @Nullable
    Grip await() throws InterruptedException {
        if (missing.isEmpty()) {
            return new Grip(request.name(), joined);
        }
        boolean taken = false;
        try {
            Duration lease = lease();
            RLock lock = lock();
            Optional<LockHold> hold =
                    lease == null ? lock.tryAcquire(request.waitFor()) : lock.tryAcquire(request.waitFor(), lease);
            taken = hold.isPresent();
            return taken ? grip(hold.get()) : null;
        } finally {
            if (!taken) {
                leaveJoined();
            }
        }
    }

    /**
     * Asks for the lock.
     *
     * @param result hears once of the grip, of null if the lock was not granted in time, or of a failure; of a grip also after
     *     {@link #withdraw}, and has to end it then
     */
    void ask(BiConsumer<@Nullable Grip, @Nullable Throwable> result) {
        if (missing.isEmpty()) {
            result.accept(new Grip(request.name(), joined), null);
            return;
        }
        RFuture<Optional<LockHold>> future;
        try {
            Duration lease = lease();
            RLock lock = lock();
            future = lease == null
                    ? lock.tryAcquireAsync(request.waitFor())
                    : lock.tryAcquireAsync(request.waitFor(), lease);
        } catch (RuntimeException | Error refused) {
            leaveJoined();
            result.accept(null, refused);
            return;
        }
        asked = future;
        future.whenComplete((hold, failure) -> {
            if (failure != null || hold.isEmpty()) {
                leaveJoined();
                result.accept(null, failure);
            } else {
                result.accept(grip(hold.get()), null);
            }
        });
    }

    /** The caller does not want it any more: a lock that is granted nevertheless is given back by the client. */
    void withdraw() {
        RFuture<Optional<LockHold>> future = asked;
        if (future != null) {
            future.cancel(false);
        }
    }

    private Grip grip(LockHold hold) {
        List<Holding> holdings = new ArrayList<>(joined);
        holdings.add(new Holding(request.of(missing), hold));
        return new Grip(request.name(), holdings);
    }

    /** The lease to ask for; null if the lock is to be renewed. */
    private @Nullable Duration lease() {
        Duration atLeast = request.atLeast();
        return request.lease() != null || atLeast == null ? request.lease() : MinimumTime.lease(atLeast);
    }

    private RLock lock() {
        LockClient client = request.client();
        try {
            if (missing.size() == 1) {
                return made(request.kind().lock(client, missing.get(0)));
            }
            List<RLock> members = new ArrayList<>(missing.size());
            for (String key : missing) {
                members.add(made(request.kind().lock(client, key)));
            }
            return MultiLock.of(members);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    Printable.message(request.caller() + ": " + refused.getMessage()), refused);
        } catch (UnsupportedOperationException impossible) {
            throw new UnsupportedOperationException(
                    Printable.message(request.caller() + ": " + impossible.getMessage()), impossible);
        }
    }

    /** A mock of a client makes none, unless it is told to. */
    private RLock made(@Nullable RLock lock) {
        if (lock == null) {
            throw new IllegalStateException(Printable.message(request.caller()
                    + ": the client gave no lock (expected: a mock whose "
                    + request.kind().method()
                    + " is stubbed, or locks in memory by lock-memory)"));
        }
        return lock;
    }

    private void leaveJoined() {
        joined.forEach(Holding::leaveAsync);
    }
}
