package io.holdfast.lock.examples.stock;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;

/** What really happened in a shop, counted atomically and apart from the stock. */
final class Ledger {

    private final ShopSite site;

    Ledger(ShopSite site) {
        this.site = site;
    }

    void recordSale() {
        try (Jedis jedis = site.jedis().getResource()) {
            jedis.incr(soldKey());
        }
    }

    int sold() {
        try (Jedis jedis = site.jedis().getResource()) {
            String sold = jedis.get(soldKey());
            return sold == null ? 0 : Integer.parseInt(sold);
        }
    }

    /** Whether the caller is the first to find this much stock left: the one to be frozen there. */
    boolean isFirstAt(int stock) {
        try (Jedis jedis = site.jedis().getResource()) {
            return "OK"
                    .equals(jedis.set(
                            site.name() + ":first:" + stock,
                            "1",
                            SetParams.setParams().nx()));
        }
    }

    /** Deletes every key of this run. */
    void sweep() {
        try (Jedis jedis = site.jedis().getResource()) {
            ScanParams ours = new ScanParams().match("*" + site.name() + "*").count(1_000);
            String cursor = ScanParams.SCAN_POINTER_START;
            do {
                ScanResult<String> found = jedis.scan(cursor, ours);
                found.getResult().forEach(jedis::del);
                cursor = found.getCursor();
            } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        }
    }

    private String soldKey() {
        return site.name() + ":sold";
    }
}
