package io.holdfast.lock.engine;

import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one lock of the locks of several clients. The locks over the same clients share an engine, and so their owners:
 * that engine belongs to the first of the clients and ends with any of them.
 */
final class RedLocks {

    private static final Logger log = LoggerFactory.getLogger(RedLocks.class);

    private final Map<List<Object>, Engine> engines = new HashMap<>();
    private int made;

    static RLock of(List<RLock> locks, QuorumOptions options) {
        Objects.requireNonNull(options, "options");
        List<EngineLock> members = Members.of("RedLock", locks);
        List<Backend> backends = new ArrayList<>();
        for (EngineLock member : members) {
            if (member.engine.isQuorum()) {
                throw new IllegalArgumentException("RedLock: lock '" + member.names
                        + "' is kept by several servers already (expected: locks of one server each)");
            }
            backends.add(member.engine.stores().get(0).backend());
        }
        checkIndependent(backends);
        return new Composed(
                members,
                members.get(0).engine.redLocks().engineOver(members, backends, options),
                new MemberNames(members.stream().map(member -> member.names).toList()));
    }

    /** Refuses stores that would fail together, and warns of numbers that make little sense. */
    static void checkIndependent(List<? extends Backend> backends) {
        Map<String, Integer> servers = new HashMap<>();
        for (int i = 0; i < backends.size(); i++) {
            Backend backend = backends.get(i);
            ServerRun run = backend.run();
            Integer same = servers.put(backend.describe(), i);
            if (same == null && run.isKnown()) {
                same = servers.put("run " + run.id(), i);
            }
            if (same != null) {
                throw new IllegalArgumentException("RedLock: number " + (same + 1) + " ("
                        + Printable.of(backends.get(same).describe())
                        + ") and number " + (i + 1) + " (" + Printable.of(backend.describe())
                        + ") are the same server, so they are not independent");
            }
        }
        int nodes = backends.size();
        if (nodes < 3) {
            log.warn("a quorum of {} survives the loss of no node (advised: 3 or 5 nodes)", nodes);
        } else if (nodes % 2 == 0) {
            log.warn("a quorum of {} survives the loss of {} nodes, like one of {}", nodes, (nodes - 1) / 2, nodes - 1);
        }
    }

    private synchronized Engine engineOver(List<EngineLock> members, List<Backend> backends, QuorumOptions options) {
        List<Object> key = new ArrayList<>(backends);
        key.add(options);
        Engine known = engines.get(key);
        if (known != null && !known.isClosed()) {
            return known;
        }
        Engine first = members.get(0).engine;
        Engine engine = new Engine(backends, false, first.options(), options, first.clientId() + "-q" + ++made);
        engines.values().removeIf(Engine::isClosed);
        engines.put(key, engine);
        engine.start();
        members.forEach(member -> member.engine.addDependent(engine));
        return engine;
    }

    /** A lock over the stores of other locks. Whoever holds one of those himself would wait for himself. */
    private static final class Composed extends EngineLock {

        private final List<EngineLock> members;

        Composed(List<EngineLock> members, Engine engine, LockNames names) {
            super(engine, names, members.get(0).options);
            this.members = members;
        }

        @Override
        Runnable begin(
                Owner owner, Lease lease, long waitNanos, @Nullable Thread thread, Pending<Optional<Hold>> result) {
            for (EngineLock member : members) {
                if (member.holdCount(owner) > 0) {
                    throw new IllegalStateException("lock '" + names + "': " + owner.describe()
                            + " holds its member '" + member.names + "' at " + member.engine.node()
                            + " directly, and would wait for itself; unlock the member first");
                }
            }
            return super.begin(owner, lease, waitNanos, thread, result);
        }
    }
}
