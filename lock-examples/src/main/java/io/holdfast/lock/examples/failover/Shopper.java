package io.holdfast.lock.examples.failover;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Buys one piece of an article after the other: takes the lock, reads the stock with the token, thinks, and writes it back
 * lowered by one with the same token. It does not ask whether it still has the lock: that is what the token is for. With the
 * failover guard it asks: that keeps owners apart which stop when their lock is lost.
 */
final class Shopper extends Thread {

    private final Shelf shelf;
    private final Shopping shopping;
    private final Counts counts;
    private final long thinkMicros;
    private final boolean looks;

    /** @param looks whether it asks before it writes */
    Shopper(Shelf shelf, Shopping shopping, Counts counts, long thinkMicros, boolean looks) {
        super("buyer-of-" + shelf.article());
        this.shelf = shelf;
        this.shopping = shopping;
        this.counts = counts;
        this.thinkMicros = thinkMicros;
        this.looks = looks;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            boolean more = true;
            while (more && !shopping.isOver()) {
                shopping.awaitOpen(shelf.article());
                more = tryToBuy();
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean tryToBuy() throws InterruptedException {
        try {
            return buyOne();
        } catch (LockException | LockLostException fault) {
            counts.failure();
            return true;
        }
    }

    /** Returns false when there is nothing left. */
    private boolean buyOne() throws InterruptedException {
        LockHold hold = shelf.lock().acquire();
        try {
            long token = hold.fencingToken();
            counts.grant();
            shopping.granted(shelf.article());
            hold.onLost(loss -> {
                counts.loss();
                shopping.says("lost", shelf.article(), loss.reason());
            });
            int stock = shelf.read(token);
            if (stock <= 0) {
                return false;
            }
            boolean slow = think(token);
            if (!looks || Guard.mayWrite(hold.validFor())) {
                write(stock - 1, token, slow);
            } else if (slow) {
                shopping.says("stopped", shelf.article(), "");
            }
            return true;
        } finally {
            leave(hold);
        }
    }

    private boolean think(long token) throws InterruptedException {
        if (shopping.isSlow(shelf.article())) {
            shopping.says("slow", shelf.article(), token);
            shopping.sleep();
            return true;
        }
        TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(thinkMicros / 2, thinkMicros * 3 / 2 + 1));
        return false;
    }

    private void write(int left, long token, boolean slow) {
        int salesSince = slow ? left + 1 - shelf.look() : 0;
        if (shelf.write(left, token)) {
            counts.sale();
            if (slow) {
                shopping.says("wrote", shelf.article(), salesSince);
            }
        } else {
            counts.refusal();
            shopping.says("refused", shelf.article(), salesSince);
        }
    }

    /** Of a loss the buyer has been told already. */
    private static void leave(LockHold hold) {
        try {
            hold.close();
        } catch (LockLostException told) {
            // Counted when it was told.
        }
    }
}
