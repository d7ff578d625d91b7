package io.holdfast.lock.examples.stock;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * A shop behind {@code SET NX PX} and a script that deletes the lock only if it is still one's own. Correct while the
 * lease holds: but nothing renews it, nobody is told when it ends, and nothing stops a late write.
 */
final class LeaseShop implements Shop {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private final ShopSite site;
    private final PlainStock stock;

    LeaseShop(ShopSite site) {
        this.site = site;
        this.stock = new PlainStock(site);
    }

    @Override
    public int readStock() {
        return stock.read();
    }

    @Override
    public Optional<Visit> enter(long deadlineNanos) throws InterruptedException {
        String owner = UUID.randomUUID().toString();
        while (!tryLock(owner)) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return Optional.empty();
            }
            Pause.beforeLookingAgain();
        }
        return Optional.of(new LeaseVisit(owner));
    }

    @Override
    public void close() {}

    private boolean tryLock(String owner) {
        try (Jedis jedis = site.jedis().getResource()) {
            SetParams ifFree = SetParams.setParams().nx().px(site.leaseMillis());
            return "OK".equals(jedis.set(site.lockKey(), owner, ifFree));
        }
    }

    private final class LeaseVisit implements Visit {

        private final String owner;

        LeaseVisit(String owner) {
            this.owner = owner;
        }

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
                jedis.eval(COMPARE_AND_DELETE, List.of(site.lockKey()), List.of(owner));
            }
        }
    }
}
