package io.holdfast.lock.testkit;

/** A server that was found and can be run: a binary or an image. */
interface Installation {
    RedisSource source();

    RedisVersion version();

    /** Makes room for a server; nothing runs before {@link ServerProcess#start()}. */
    ServerProcess prepare(ServerConfig config);
}
