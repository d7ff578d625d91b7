package io.holdfast.lock.examples.stock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.examples.Freezer;
import io.holdfast.lock.examples.console.Samples;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Buys one item after the other until nothing is left or time is up. */
final class Buyer {

    private final Run run;
    private final Shop shop;
    private final Ledger ledger;
    private final IntConsumer beforeFreeze;
    private final Samples waits = new Samples();
    private int refused;
    private int faults;

    /** Tells {@code beforeFreeze} the stock at which this process is about to be frozen. */
    Buyer(Run run, Shop shop, Ledger ledger, IntConsumer beforeFreeze) {
        this.run = run;
        this.shop = shop;
        this.ledger = ledger;
        this.beforeFreeze = beforeFreeze;
    }

    void buyAll(long deadlineNanos, Tally tally) throws InterruptedException {
        boolean more = true;
        while (more && System.nanoTime() - deadlineNanos < 0) {
            try {
                more = buyOne(deadlineNanos);
            } catch (LockException fault) {
                faults++;
            }
        }
        tally.add(waits, refused, faults);
    }

    /** Returns false when there is nothing left to buy, or no more time to. */
    private boolean buyOne(long deadlineNanos) throws InterruptedException {
        long askedNanos = System.nanoTime();
        Optional<Shop.Visit> visit = shop.enter(deadlineNanos);
        if (visit.isEmpty()) {
            return false;
        }
        waits.add(System.nanoTime() - askedNanos);
        try {
            int stock = visit.get().readStock();
            if (stock <= 0) {
                return false;
            }
            Pause.toThink(run.thinkMicros());
            freezeIfDue(stock);
            if (visit.get().writeStock(stock - 1)) {
                ledger.recordSale();
            } else {
                refused++;
            }
            return true;
        } finally {
            visit.get().leave();
        }
    }

    private void freezeIfDue(int stock) throws InterruptedException {
        if (run.isFreezePoint(stock) && ledger.isFirstAt(stock)) {
            beforeFreeze.accept(stock);
            Freezer.freeze(run.freezeMillis());
        }
    }
}
