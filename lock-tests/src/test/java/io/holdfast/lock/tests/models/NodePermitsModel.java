package io.holdfast.lock.tests.models;

import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Why a quorum offers no permits (rule 66): each node lets in no more than the limit, and more hold a majority of the nodes. One
 * client more than the limit asks, each at any node at any time; nothing is lost or late. A state is the set of clients of each node,
 * as bits.
 */
final class NodePermitsModel implements Model<List<Integer>> {
    static final String LIMIT = "limit";

    private final NodePermitsBounds bounds;
    private final int needed;

    NodePermitsModel(Set<NodePermitsRule> rules, NodePermitsBounds bounds) {
        this.bounds = bounds;
        int majority = bounds.nodes / 2 + 1;
        int safe = bounds.nodes * bounds.limit / (bounds.limit + 1) + 1;
        this.needed = rules.contains(NodePermitsRule.MORE_THAN_A_MAJORITY) ? safe : majority;
    }

    @Override
    public List<Integer> start() {
        return Collections.nCopies(bounds.nodes, 0);
    }

    @Override
    public void steps(List<Integer> state, Steps<List<Integer>> steps) {
        for (int node = 0; node < bounds.nodes; node++) {
            int held = state.get(node);
            for (int client = 0; client <= bounds.limit; client++) {
                int bit = 1 << client;
                int asked = client + 1;
                char name = (char) ('A' + node);
                if ((held & bit) != 0) {
                    steps.step(
                            Lists.replaced(state, node, held & ~bit),
                            () -> "client " + asked + " gives its permit back at " + name);
                } else if (Integer.bitCount(held) < bounds.limit) {
                    steps.step(Lists.replaced(state, node, held | bit), () -> name + " lets client " + asked + " in");
                }
            }
        }
    }

    @Override
    public List<Invariant<List<Integer>>> invariants() {
        return List.of(new Invariant<>(LIMIT, this::isWithinLimit));
    }

    private boolean isWithinLimit(List<Integer> state) {
        int holders = 0;
        for (int client = 0; client <= bounds.limit; client++) {
            int bit = 1 << client;
            long nodes = state.stream().filter(held -> (held & bit) != 0).count();
            holders += nodes >= needed ? 1 : 0;
        }
        return holders <= bounds.limit;
    }

    /** Which node is called A does not matter. */
    @Override
    public Object identity(List<Integer> state) {
        return state.stream().sorted().toList();
    }
}
