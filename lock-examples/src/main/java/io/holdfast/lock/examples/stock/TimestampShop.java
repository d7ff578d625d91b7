package io.holdfast.lock.examples.stock;

import java.util.Optional;
import redis.clients.jedis.Jedis;

/**
 * A shop behind the classic lock of many old articles: the lock's value is the time at which it ends, by the clock of
 * whoever wrote it, and whoever finds that time in the past takes the lock with GETSET.
 *
 * <p>What is wrong with it: the clocks of two machines are never the same; a loser's GETSET overwrites the winner's
 * time; and the end of the lock is read and deleted in two steps, so a late owner deletes its successor's lock.
 */
final class TimestampShop implements Shop {

    private final ShopSite site;
    private final PlainStock stock;

    TimestampShop(ShopSite site) {
        this.site = site;
        this.stock = new PlainStock(site);
    }

    @Override
    public int readStock() {
        return stock.read();
    }

    @Override
    public Optional<Visit> enter(long deadlineNanos) throws InterruptedException {
        while (!tryLock()) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return Optional.empty();
            }
            Pause.beforeLookingAgain();
        }
        return Optional.of(new TimestampVisit());
    }

    @Override
    public void close() {}

    private boolean tryLock() {
        try (Jedis jedis = site.jedis().getResource()) {
            String end = String.valueOf(site.wallMillis() + site.leaseMillis() + 1);
            return jedis.setnx(site.lockKey(), end) == 1
                    || isOver(jedis.get(site.lockKey())) && isOver(jedis.getSet(site.lockKey(), end));
        }
    }

    private boolean isOver(String end) {
        return end != null && Long.parseLong(end) < site.wallMillis();
    }

    private final class TimestampVisit implements Visit {

        @Override
        public int readStock() {
            return stock.read();
        }

        @Override
        public boolean writeStock(int left) {
            return stock.write(left);
        }

        @Override
        public void leave() {
            try (Jedis jedis = site.jedis().getResource()) {
                String end = jedis.get(site.lockKey());
                if (end != null && !isOver(end)) {
                    jedis.del(site.lockKey());
                }
            }
        }
    }
}
