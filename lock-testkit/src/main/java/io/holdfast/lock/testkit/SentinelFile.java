package io.holdfast.lock.testkit;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What is written into a Sentinel's configuration file before its start, so that the Sentinels know each other at once:
 * they would hear of each other by messages that each sends every two seconds. A Sentinel that is started again has the same
 * lines, from its earlier life.
 *
 * @param id 40 hex digits
 * @param port where clients come
 */
record SentinelFile(String id, int port) {
    static SentinelFile fresh() {
        byte[] id = new byte[20];
        new SecureRandom().nextBytes(id);
        return new SentinelFile(HexFormat.of().formatHex(id), FreePorts.take());
    }

    /** Adds a line that begins with {@code sentinel}. */
    static void line(RedisServerBuilder builder, String... words) {
        builder.option("sentinel", words);
    }
}
