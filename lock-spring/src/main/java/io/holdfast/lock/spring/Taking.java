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

    /** @throws io.holdfast.lock.LockLostException if a hold that encloses the call was lost */
    Taking(LockRequest request, @Nullable Inside inside) {
        this.request = request;
        for (String key : request.keys()) {
            if (!isJoined(key)) {
                Holding found = Inside.join(inside, request.client(), key);
                Holding holding = found == null ? Kept.join(request.client(), key) : found;
                if (holding == null) {
                    missing.add(key);
                } else {
                    joined.add(holding);
                }
            }
        }
        try {
            joined.forEach(Holding::check);
        } catch (RuntimeException lost) {
            leaveJoined();
            throw lost;
        }
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
                return made(client.getLock(missing.get(0)));
            }
            return MultiLock.of(
                    missing.stream().map(client::getLock).map(this::made).toList());
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    Printable.message(request.caller() + ": " + refused.getMessage()), refused);
        }
    }

    /** A mock of a client makes none, unless it is told to. */
    private RLock made(@Nullable RLock lock) {
        if (lock == null) {
            throw new IllegalStateException(
                    Printable.message(
                            request.caller()
                                    + ": the client gave no lock (expected: a mock whose getLock is stubbed, or locks in memory by lock-memory)"));
        }
        return lock;
    }

    private void leaveJoined() {
        joined.forEach(Holding::leaveAsync);
    }
}
