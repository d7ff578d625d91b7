package io.holdfast.lock.examples.stock;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.Optional;

/**
 * A shop behind Holdfast: the watchdog renews the lease, a buyer who slept through it is told so before it writes, and
 * the stock itself refuses the writes of buyers whose fencing token is not the newest.
 */
final class HoldfastShop implements Shop {

    private final LockClient client;
    private final RLock lock;
    private final FencedValue stock;

    HoldfastShop(ShopSite site) {
        LockOptions lockOptions = LockOptions.builder()
                .watchdogLease(Duration.ofMillis(site.leaseMillis()))
                .build();
        this.client = LockClient.connect(
                site.url(), ClientOptions.builder().lockOptions(lockOptions).build());
        this.lock = client.getLock(site.name());
        this.stock = client.getFencedValue(site.name());
    }

    @Override
    public int readStock() {
        return stock.get().map(Integer::parseInt).orElse(0);
    }

    @Override
    public Optional<Visit> enter(long deadlineNanos) throws InterruptedException {
        Duration wait = Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
        return lock.tryAcquire(wait).map(HoldfastVisit::new);
    }

    @Override
    public void close() {
        client.close();
    }

    private final class HoldfastVisit implements Visit {

        private final LockHold hold;

        HoldfastVisit(LockHold hold) {
            this.hold = hold;
        }

        /** Read under the token, so that an earlier buyer who wakes up late cannot write in between. */
        @Override
        public int readStock() {
            try {
                return stock.get(hold.fencingToken()).map(Integer::parseInt).orElse(0);
            } catch (LockLostException lost) {
                return HoldfastShop.this.readStock();
            }
        }

        @Override
        public boolean writeStock(int left) {
            try {
                return stock.set(String.valueOf(left), hold.fencingToken());
            } catch (LockLostException lost) {
                return false;
            }
        }

        @Override
        public void leave() {
            try {
                hold.close();
            } catch (LockLostException lost) {
                // The write was refused for the same reason, and the buyer knows.
            }
        }
    }
}
