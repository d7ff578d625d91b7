package io.holdfast.lock.examples.stock;

import redis.clients.jedis.JedisPool;

/**
 * Where a shop is and what surrounds it.
 *
 * @param url the server
 * @param jedis connections to it, for the naive shops and the ledger
 * @param name what the keys of this run begin with
 * @param leaseMillis how long a buyer may stay in the shop
 * @param clockSkewMillis how far this process's wall clock is ahead
 */
record ShopSite(String url, JedisPool jedis, String name, long leaseMillis, long clockSkewMillis) {

    String lockKey() {
        return name + ":lock";
    }

    String stockKey() {
        return name + ":stock";
    }

    /** This process's idea of the time of day. */
    long wallMillis() {
        return System.currentTimeMillis() + clockSkewMillis;
    }
}
