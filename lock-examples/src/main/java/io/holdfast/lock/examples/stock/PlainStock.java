package io.holdfast.lock.examples.stock;

import redis.clients.jedis.Jedis;

/** The stock as a plain value that anybody may write: what the naive shops work with. */
final class PlainStock {

    private final ShopSite site;

    PlainStock(ShopSite site) {
        this.site = site;
    }

    int read() {
        try (Jedis jedis = site.jedis().getResource()) {
            String stock = jedis.get(site.stockKey());
            return stock == null ? 0 : Integer.parseInt(stock);
        }
    }

    boolean write(int stock) {
        try (Jedis jedis = site.jedis().getResource()) {
            jedis.set(site.stockKey(), String.valueOf(stock));
            return true;
        }
    }
}
