package io.holdfast.lock.benchmarks.peer;

import java.util.List;

/** Connects peers. */
public final class Peers {

    private Peers() {}

    /** A client of a kind, to one server or to several independent ones. */
    public static Peer connect(PeerKind kind, List<String> urls, Transport transport) {
        boolean one = urls.size() == 1;
        return switch (kind) {
            case HOLDFAST ->
                one ? HoldfastPeer.connect(urls.get(0), transport) : HoldfastPeer.connectQuorum(urls, transport);
            case ASKING -> HoldfastPeer.connectAsking(single(kind, urls), transport);
            case METERS -> HoldfastPeer.connect(single(kind, urls), transport, ListenedTo.meters());
            case SPANS -> HoldfastPeer.connect(single(kind, urls), transport, ListenedTo.spans());
            case REDISSON ->
                one ? RedissonPeer.connect(urls.get(0), transport) : RedissonPeer.connectQuorum(urls, transport);
            case LETTUCE -> LettucePeer.connect(single(kind, urls), transport);
            case JEDIS -> JedisPeer.connect(single(kind, urls));
            case SOCKET -> SocketPeer.connect(urls);
            case PIPELINE, REDIS_BENCHMARK ->
                throw new IllegalArgumentException(kind.title() + " has no locks (expected: a peer that has)");
        };
    }

    private static String single(PeerKind kind, List<String> urls) {
        if (urls.size() != 1) {
            throw new IllegalArgumentException(kind.title() + ": " + urls.size() + " servers (expected: 1)");
        }
        return urls.get(0);
    }
}
