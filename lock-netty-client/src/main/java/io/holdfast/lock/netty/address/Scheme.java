package io.holdfast.lock.netty.address;

import java.util.Locale;

/** What the first word of an address says of the rest. */
enum Scheme {
    REDIS("redis", "host[:port][/database]"),
    REDISS("rediss", "host[:port][/database]"),
    UNIX("unix", "/path[?database=number]"),
    SENTINEL("redis-sentinel", "host[:port],host[:port]/master[/database]"),
    SENTINEL_TLS("rediss-sentinel", "host[:port],host[:port]/master[/database]"),
    REPLICAS("redis-replicas", "host[:port],host[:port][/database]"),
    REPLICAS_TLS("rediss-replicas", "host[:port],host[:port][/database]"),
    CLUSTER("redis-cluster", "host[:port],host[:port][/database]"),
    CLUSTER_TLS("rediss-cluster", "host[:port],host[:port][/database]");

    /** What is expected of an address whose scheme is none of these. */
    static final String ANY = "redis://, rediss://, unix://, redis-sentinel://, rediss-sentinel://, redis-replicas://,"
            + " rediss-replicas://, redis-cluster:// or rediss-cluster://; valkey may stand for redis";

    private static final String OTHER_NAME = "valkey";

    private final String word;
    private final String rest;

    Scheme(String word, String rest) {
        this.word = word;
        this.rest = rest;
    }

    /** The scheme of this word, in upper or lower case; {@code valkeys} is {@code rediss}, and so on. */
    static Scheme of(String text) {
        String given = text.toLowerCase(Locale.ROOT);
        String word = given.startsWith(OTHER_NAME) ? "redis" + given.substring(OTHER_NAME.length()) : given;
        for (Scheme scheme : values()) {
            if (scheme.word.equals(word)) {
                return scheme;
            }
        }
        throw new Malformed(
                switch (word) {
                    case "redis+unix", "redis-socket" -> "the scheme of a Unix socket is unix://";
                    case "rediss+unix", "rediss-socket", "unixs" ->
                        "a Unix socket has no TLS, and its scheme is unix://";
                    case "redis+sentinel" -> "the scheme of Sentinel is redis-sentinel://";
                    case "redis+cluster" -> "the scheme of a cluster is redis-cluster://";
                    case "rediss+cluster" -> "the scheme of a cluster with TLS is rediss-cluster://";
                    case "rediss+sentinel" -> "the scheme of Sentinel with TLS is rediss-sentinel://";
                    default -> "its scheme is unknown";
                });
    }

    String word() {
        return word;
    }

    /** What an address of this scheme looks like. */
    String form() {
        return word + "://[[user]:password@]" + rest;
    }

    boolean isTls() {
        return this == REDISS || this == SENTINEL_TLS || this == REPLICAS_TLS || this == CLUSTER_TLS;
    }

    /** Whether its address has a list of hosts. */
    boolean hasList() {
        return switch (this) {
            case SENTINEL, SENTINEL_TLS, REPLICAS, REPLICAS_TLS, CLUSTER, CLUSTER_TLS -> true;
            case REDIS, REDISS, UNIX -> false;
        };
    }
}
