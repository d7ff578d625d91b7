package io.holdfast.lock.benchmarks.peer;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.TransportMode;

/** Redisson with all defaults. */
public final class RedissonPeer implements Peer {

    private static final String CLUSTER = "redis-cluster://";

    private final List<RedissonClient> clients;

    private RedissonPeer(List<RedissonClient> clients) {
        this.clients = clients;
    }

    public static RedissonPeer connect(String url, Transport transport) {
        return new RedissonPeer(List.of(client(url, transport)));
    }

    /** The lock over a majority of several servers: Redisson's RedLock. */
    public static RedissonPeer connectQuorum(List<String> urls, Transport transport) {
        return new RedissonPeer(urls.stream().map(url -> client(url, transport)).toList());
    }

    private static RedissonClient client(String url, Transport transport) {
        return Redisson.create(config(url, transport));
    }

    /** Defaults, for one server or for the nodes of a cluster. */
    public static Config config(String url, Transport transport) {
        Config config = new Config();
        if (url.startsWith(CLUSTER)) {
            var nodes = config.useClusterServers();
            for (String address : url.substring(CLUSTER.length()).split(",")) {
                nodes.addNodeAddress("redis://" + address);
            }
        } else {
            config.useSingleServer().setAddress(url);
        }
        if (transport == Transport.EPOLL) {
            config.setTransportMode(TransportMode.EPOLL);
        }
        return config;
    }

    @Override
    public PeerLock lock(String name, HoldMode mode) {
        return lock(name, LockType.PLAIN, mode);
    }

    @Override
    public PeerLock lock(String name, LockType type, HoldMode mode) {
        if (type == LockType.PERMIT) {
            return permit(name, mode);
        }
        RLock[] members =
                clients.stream().map(client -> lock(client, name, type)).toArray(RLock[]::new);
        return new Adapter(members.length == 1 ? members[0] : new RedissonRedLock(members), mode == HoldMode.WATCHDOG);
    }

    private static RLock lock(RedissonClient client, String name, LockType type) {
        return switch (type) {
            case PLAIN -> client.getLock(name);
            case FAIR -> client.getFairLock(name);
            case READ -> client.getReadWriteLock(name).readLock();
            case WRITE -> client.getReadWriteLock(name).writeLock();
            case PERMIT -> throw new IllegalArgumentException("a permit is no lock: " + name);
        };
    }

    private PeerLock permit(String name, HoldMode mode) {
        if (clients.size() != 1 || mode != HoldMode.LEASE) {
            throw new UnsupportedOperationException("permits are of one server and have a lease: " + name);
        }
        RPermitExpirableSemaphore permits = clients.get(0).getPermitExpirableSemaphore(name);
        permits.trySetPermits(PeerLock.PERMITS);
        return new Permit(
                () -> permits.acquire(PeerLock.LEASE_MILLIS, TimeUnit.MILLISECONDS),
                permits::tryAcquire,
                permits::release);
    }

    @Override
    public void close() {
        clients.forEach(client -> client.shutdown(0, 2, TimeUnit.SECONDS));
    }

    private record Adapter(RLock target, boolean watched) implements PeerLock {

        @Override
        public void lock() {
            if (watched) {
                target.lock();
            } else {
                target.lock(LEASE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public boolean tryLock() {
            return target.tryLock();
        }

        @Override
        public void unlock() {
            target.unlock();
        }

        @Override
        public CompletionStage<?> lockAsync(long owner) {
            return watched ? target.lockAsync(owner) : target.lockAsync(LEASE_MILLIS, TimeUnit.MILLISECONDS, owner);
        }

        @Override
        public CompletionStage<?> unlockAsync(long owner) {
            return target.unlockAsync(owner);
        }
    }
}
