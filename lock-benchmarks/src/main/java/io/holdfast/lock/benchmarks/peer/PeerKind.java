package io.holdfast.lock.benchmarks.peer;

/** The kinds of peer, in the order in which they are shown. */
public enum PeerKind {
    HOLDFAST("Holdfast", "io.holdfast:lock-netty-client"),
    ASKING("Holdfast asking each time", "io.holdfast:lock-netty-client"),
    METERS("Holdfast, with meters", "io.holdfast:lock-micrometer"),
    SPANS("Holdfast, with spans", "io.holdfast:lock-micrometer"),
    REDISSON("Redisson", "org.redisson:redisson"),
    LETTUCE("Lettuce, same scripts", "io.lettuce:lettuce-core"),
    JEDIS("Jedis, same scripts", "redis.clients:jedis"),
    SOCKET("bare socket, same scripts", "java.net.Socket"),
    PIPELINE("pipelined socket, same scripts", "java.net.Socket"),
    REDIS_BENCHMARK("redis-benchmark, same scripts", "redis-benchmark");

    private final String title;
    private final String product;

    PeerKind(String title, String product) {
        this.title = title;
        this.product = product;
    }

    /** How people read it. */
    public String title() {
        return title;
    }

    /** How it is called in a narrow column. */
    public String shortTitle() {
        int comma = title.indexOf(',');
        return comma < 0 ? title : title.substring(0, comma);
    }

    /** What it is made of. */
    public String product() {
        return product;
    }

    /** How machines read it. */
    public String id() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
