package io.holdfast.lock.testkit;

/** A server that was found and can be run: a binary or an image. */
interface Installation {
    RedisSource source();

    /** The version as far as it is known before a server runs; good enough to choose its options by. */
    RedisVersion version();

    /** Makes room for a server; nothing runs before {@link ServerProcess#start()}. */
    ServerProcess prepare(ServerConfig config);
}
