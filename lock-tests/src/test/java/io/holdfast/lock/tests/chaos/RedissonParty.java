package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Operation;
import io.holdfast.lock.tests.history.Outcome;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

/**
 * Redisson's clients under the same load: fenced locks, and over several servers its RedLock, which has no tokens. They show no
 * validity, so a hold lasts until its release, or until a look says that it is over.
 */
final class RedissonParty implements Party {

    private final LoadPlan plan;
    private final List<RedissonClient> clients;

    RedissonParty(LoadPlan plan) {
        this.plan = plan;
        this.clients = plan.urls().stream().map(this::connect).toList();
    }

    private RedissonClient connect(String url) {
        Config config = new Config().setThreads(4).setNettyThreads(2).setLockWatchdogTimeout(plan.watchdogMillis());
        String scheme = url.substring(0, url.indexOf(':'));
        if (scheme.equals("redis")) {
            quick(config.useSingleServer()
                    .setAddress(url)
                    .setConnectionMinimumIdleSize(2)
                    .setConnectionPoolSize(8));
        } else if (scheme.equals("redis-cluster")) {
            quick(config.useClusterServers()
                    .addNodeAddress(addresses(url))
                    .setMasterConnectionMinimumIdleSize(2)
                    .setSlaveConnectionMinimumIdleSize(2));
        } else {
            quick(config.useSentinelServers()
                    .setMasterName(url.substring(url.lastIndexOf('/') + 1))
                    .addSentinelAddress(addresses(url))
                    .setMasterConnectionMinimumIdleSize(2)
                    .setSlaveConnectionMinimumIdleSize(2));
        }
        return Redisson.create(config);
    }

    /** The one thing that is set for both libraries; all else is Redisson's default. */
    private static void quick(BaseConfig<?> config) {
        config.setTimeout(Math.toIntExact(Clients.COMMAND_TIMEOUT.toMillis()));
    }

    private static String[] addresses(String url) {
        return Stream.of(URI.create(url).getRawAuthority().split(","))
                .map(address -> "redis://" + address)
                .toArray(String[]::new);
    }

    @Override
    public Lane lane(String name, Seen.Sink sink) {
        Scribe scribe = new Scribe(name, sink);
        return (lock, wait, random) -> take(scribe, lock, wait);
    }

    private RLock lock(String name) {
        return clients.size() == 1
                ? clients.get(0).getFencedLock(name)
                : clients.get(0)
                        .getRedLock(clients.stream()
                                .map(client -> client.getLock(name))
                                .toArray(RLock[]::new));
    }

    private @Nullable Taken take(Scribe scribe, String name, Duration wait) throws InterruptedException {
        RLock lock = lock(name);
        String id = scribe.ask(name, scribe.lane, Call.ACQUIRE, 0, wait.toMillis());
        try {
            Long token = lock instanceof RFencedLock fenced
                    ? fenced.tryLockAndGetToken(wait.toMillis(), TimeUnit.MILLISECONDS)
                    : lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? Long.valueOf(0) : null;
            if (token == null) {
                scribe.answered(id, Outcome.REFUSED, "", System.nanoTime());
                return null;
            }
            scribe.granted(id, token, 1, Operation.FOREVER, System.nanoTime());
            return new Held(scribe, name, lock, token);
        } catch (RuntimeException failure) {
            scribe.answered(id, Outcome.UNKNOWN, failure.getClass().getSimpleName(), System.nanoTime());
            return null;
        }
    }

    @Override
    public void close() {
        clients.forEach(RedissonClient::shutdown);
    }

    private record Held(Scribe scribe, String name, RLock lock, long token) implements Taken {

        @Override
        public boolean isExclusive() {
            return true;
        }

        /** At the server; the lock over several servers can't be asked while one of them is away. */
        @Override
        public boolean look() {
            if (token == 0) {
                return true;
            }
            try {
                boolean held = lock.isHeldByCurrentThread();
                if (!held) {
                    scribe.see(new Seen.Told(scribe.lane, name, token, Seen.BY_A_LOOK, System.nanoTime()));
                }
                return held;
            } catch (RuntimeException nothingHeard) {
                return true;
            }
        }

        /** Nothing: whether a lock was taken again in time, or anew, can't be told apart. */
        @Override
        public void again() {}

        @Override
        public Outcome release() {
            String id = scribe.ask(name, scribe.lane, Call.RELEASE, token, 0);
            try {
                lock.unlock();
                return scribe.answered(id, Outcome.OK, "", System.nanoTime());
            } catch (IllegalMonitorStateException lost) {
                return scribe.answered(id, Outcome.LOST, lost.getClass().getSimpleName(), System.nanoTime());
            } catch (RuntimeException failure) {
                return scribe.answered(id, Outcome.UNKNOWN, failure.getClass().getSimpleName(), System.nanoTime());
            }
        }
    }
}
