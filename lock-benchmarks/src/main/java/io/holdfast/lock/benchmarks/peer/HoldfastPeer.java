package io.holdfast.lock.benchmarks.peer;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.IoTransport;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Holdfast with its defaults, but for time-outs: a machine that is busy for a second shall not end a long run. */
public final class HoldfastPeer implements Peer {

    private final LockClient client;

    private HoldfastPeer(LockClient client) {
        this.client = client;
    }

    public static HoldfastPeer connect(String url, Transport transport) {
        return new HoldfastPeer(LockClient.connect(url, options(transport).build()));
    }

    /** One that asks the server each time that a lock goes from call to call. */
    static HoldfastPeer connectAsking(String url, Transport transport) {
        return new HoldfastPeer(
                LockClient.connect(url, options(transport).localHandOver(false).build()));
    }

    /** With a listener that hears of every lock. */
    static HoldfastPeer connect(String url, Transport transport, LockListener listener) {
        ClientOptions listened = options(transport)
                .lockOptions(LockOptions.builder().listener(listener).build())
                .build();
        return new HoldfastPeer(LockClient.connect(url, listened));
    }

    /** The lock over a majority of several servers. */
    public static HoldfastPeer connectQuorum(List<String> urls, Transport transport) {
        return new HoldfastPeer(
                LockClient.connectQuorum(urls, options(transport).build(), QuorumOptions.defaults()));
    }

    /** Defaults, with patience. */
    public static ClientOptions.Builder options(Transport transport) {
        return ClientOptions.builder()
                .clientRecord(false)
                .connectTimeout(Duration.ofSeconds(30))
                .commandTimeout(Duration.ofSeconds(10))
                .transport(
                        switch (transport) {
                            case DEFAULT -> IoTransport.AUTO;
                            case NIO -> IoTransport.NIO;
                            case EPOLL -> IoTransport.EPOLL;
                        });
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
        RLock lock =
                switch (type) {
                    case PLAIN -> client.getLock(name);
                    case FAIR -> client.getFairLock(name);
                    case READ -> client.getReadWriteLock(name).readLock();
                    case WRITE -> client.getReadWriteLock(name).writeLock();
                    case PERMIT -> throw new IllegalArgumentException("a permit is no lock: " + name);
                };
        return new Adapter(lock, mode == HoldMode.WATCHDOG);
    }

    private PeerLock permit(String name, HoldMode mode) {
        RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore(name);
        permits.trySetPermits(PeerLock.PERMITS);
        long leaseMillis = mode == HoldMode.WATCHDOG ? -1 : PeerLock.LEASE_MILLIS;
        return new Permit(
                () -> permits.acquire(leaseMillis, TimeUnit.MILLISECONDS), permits::tryAcquire, permits::release);
    }

    @Override
    public void close() {
        client.close();
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
