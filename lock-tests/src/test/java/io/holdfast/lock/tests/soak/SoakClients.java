package io.holdfast.lock.tests.soak;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The clients of one JVM, and the names of all locks: some wanted by everybody, most by somebody now and then. */
final class SoakClients implements AutoCloseable {

    /** Short, so that faults outlive many leases. */
    static final Duration WATCHDOG_LEASE = Duration.ofMillis(2_500);

    static final Duration LONGEST_LEASE = Duration.ofSeconds(3);

    static final int SINGLE_LOCKS = 2_000;
    static final int QUORUM_LOCKS = 1_000;
    private static final int HOT_LOCKS = 12;

    /** Out of 100: how many operations go to the wanted locks, and how many to those of the quorum. */
    private static final int HOT_SHARE = 35;

    private static final int QUORUM_SHARE = 30;

    private final LockClient single;
    private final LockClient quorum;

    private SoakClients(LockClient single, LockClient quorum) {
        this.single = single;
        this.quorum = quorum;
    }

    /** Connects to the first address alone, and to the quorum of all others. */
    static SoakClients connect(List<String> urls) {
        LockOptions locks = LockOptions.builder().watchdogLease(WATCHDOG_LEASE).build();
        QuorumOptions nodes = QuorumOptions.builder()
                .nodeTimeout(Duration.ofMillis(150))
                .longestLease(LONGEST_LEASE)
                .build();
        LockClient single = LockClient.connect(
                urls.get(0), Clients.quick().lockOptions(locks).build());
        return new SoakClients(
                single,
                LockClient.connectQuorum(
                        urls.subList(1, urls.size()),
                        Clients.quick().lockOptions(locks).build(),
                        nodes));
    }

    /** Any lock. */
    RLock lock(Random random) {
        boolean ofQuorum = random.nextInt(100) < QUORUM_SHARE;
        int all = ofQuorum ? QUORUM_LOCKS : SINGLE_LOCKS;
        int number = random.nextInt(random.nextInt(100) < HOT_SHARE ? HOT_LOCKS : all);
        return ofQuorum ? quorum.getLock("quorum:" + number) : single.getLock("single:" + number);
    }

    /** The counter that a lock guards. All counters are on the single server. */
    Counter counter(RLock lock) {
        return new Counter(single.getFencedValue(lock.getName()));
    }

    @Override
    public void close() {
        single.close();
        quorum.close();
    }
}
