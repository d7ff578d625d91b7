package io.holdfast.lock.netty.replication;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Grants that replicas are asked about together: all that came before the question. */
final class Round {

    private record Grant(ServerRun run, Replication.Listener listener) {}

    private final List<Grant> grants = new ArrayList<>();
    private final String node;
    private int slot;

    Round(String node) {
        this.node = node;
    }

    void add(int slotOfGrant, ServerRun run, Replication.Listener listener) {
        slot = slotOfGrant;
        grants.add(new Grant(run, listener));
    }

    /** The slot of one of the grants. */
    int slot() {
        return slot;
    }

    boolean isEmpty() {
        return grants.isEmpty();
    }

    /**
     * A server process has answered for its replicas. That says something of what this very process has granted.
     *
     * @param runId empty if it is not known
     * @param tooFew why the answer is not enough; null if it is
     */
    void answered(String runId, @Nullable String tooFew) {
        Fault notEnough = tooFew == null ? null : new Fault(Kind.NOREPLICAS, false, node, tooFew);
        for (Grant grant : grants) {
            Fault obstacle = ofAnother(runId, grant.run);
            Fault fault = obstacle == null ? notEnough : obstacle;
            if (fault == null) {
                grant.listener.confirmed();
            } else {
                grant.listener.failed(fault);
            }
        }
    }

    /** Why the answer of a process says nothing of what was granted; null if it is the one that has granted. */
    private @Nullable Fault ofAnother(String runId, ServerRun granted) {
        if (runId.isEmpty() || !granted.isKnown()) {
            return new Fault(
                    Kind.NOPERM,
                    false,
                    node,
                    "the server does not tell its run id (expected: the right to INFO, where replicas are waited for)");
        }
        return granted.id().equals(runId)
                ? null
                : new Fault(
                        Kind.NOREPLICAS,
                        false,
                        node,
                        "the replicas of another server process were asked than of the one that granted the lock");
    }

    /** There is no answer, or a refusal. */
    void failed(Fault fault) {
        Fault withoutEffect = new Fault(fault.kind(), false, fault.node(), fault.detail());
        for (Grant grant : grants) {
            grant.listener.failed(withoutEffect);
        }
    }
}
