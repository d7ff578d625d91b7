package io.holdfast.lock.netty.replication;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.List;

/** Grants that replicas are asked about together: all that came before the question. */
final class Round {

    private record Grant(ServerRun run, Replication.Listener listener) {}

    private final List<Grant> grants = new ArrayList<>();
    private final String node;

    Round(String node) {
        this.node = node;
    }

    void add(ServerRun run, Replication.Listener listener) {
        grants.add(new Grant(run, listener));
    }

    boolean isEmpty() {
        return grants.isEmpty();
    }

    /**
     * The replicas of a server process have confirmed. That is worth something for what this very process has granted.
     *
     * @param runId empty if it is not known
     */
    void confirmed(String runId) {
        for (Grant grant : grants) {
            if (runId.isEmpty() || !grant.run.isKnown()) {
                grant.listener.failed(
                        new Fault(
                                Kind.NOPERM,
                                false,
                                node,
                                "the server does not tell its run id (expected: the right to INFO, where replicas are waited for)"));
            } else if (grant.run.id().equals(runId)) {
                grant.listener.confirmed();
            } else {
                grant.listener.failed(new Fault(
                        Kind.NOREPLICAS,
                        false,
                        node,
                        "the replicas of another server process were asked than of the one that granted the lock"));
            }
        }
    }

    void failed(Fault fault) {
        Fault withoutEffect = new Fault(fault.kind(), false, fault.node(), fault.detail());
        for (Grant grant : grants) {
            grant.listener.failed(withoutEffect);
        }
    }
}
