package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.RestartState.Memory;
import io.holdfast.lock.tests.models.RestartState.Node;
import io.holdfast.lock.tests.models.RestartState.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * How a client finds out which nodes may have forgotten: three nodes, two clients, and others that set markers.
 *
 * <p>Requests are answered at once; what they do on their way is in the model of the RedLock. A client that is cut off is
 * one that has not connected to a node's latest run yet.
 */
final class RestartModel implements Model<RestartState> {
    static final String ONE_HOLDER = "one holder";

    private static final int NODES = 3;
    private static final int MAJORITY = 2;
    private static final int CLIENTS = 2;

    /** In ticks; a node that is as old has nothing left to forget. */
    private static final int LEASE = 2;

    private final Set<RestartRule> rules;
    private final RestartBounds bounds;
    private final Numbering numbering = new Numbering();

    RestartModel(Set<RestartRule> rules, RestartBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    /** The fleet has been used: every node has the marker of its run. */
    @Override
    public RestartState start() {
        List<View> views = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            boolean wasThere = client < bounds.before;
            views.add(wasThere ? new View(1, true, false, 1, bounds.age >= LEASE, false) : View.NONE);
        }
        Node node = new Node(1, bounds.age, false, 1, true, 0, 0, List.copyOf(views));
        return new RestartState(Collections.nCopies(NODES, node), Collections.nCopies(CLIENTS, 0), bounds.restarts);
    }

    @Override
    public void steps(RestartState state, Steps<RestartState> steps) {
        for (int client = 0; client < CLIENTS; client++) {
            acquire(state, client, steps);
        }
        for (int node = 0; node < NODES; node++) {
            for (int client = 0; client < CLIENTS; client++) {
                connect(state, node, client, steps);
            }
            if (state.nodes().get(node).marker() == 0) {
                Node marked = marked(state.nodes().get(node));
                steps.step(
                        state.with(node, marked),
                        Model.text("another client takes another lock and marks %c", 'A' + node));
            }
            if (state.restarts() > 0) {
                restart(state, node, steps);
            }
        }
        steps.step(tick(state), () -> "time passes");
    }

    private Node marked(Node node) {
        return node.marked(rules.contains(RestartRule.MARKER_NAMES_A_RUN) ? node.run() : 1);
    }

    // What clients do.

    private void acquire(RestartState state, int client, Steps<RestartState> steps) {
        if (state.valid().get(client) > 0) {
            return;
        }
        RestartState after = state;
        int granted = 0;
        for (int node = 0; node < NODES; node++) {
            if (state.nodes().get(node).owner() == 0 && counts(state, node, client)) {
                Node marked = marked(after.nodes().get(node));
                View view = state.view(node, client).remembering(marked.marker());
                after = after.with(node, marked.granted(client, LEASE).with(client, view));
                granted++;
            }
        }
        if (granted >= MAJORITY) {
            steps.step(after.holding(client, LEASE), Model.text("client %d takes the lock", client + 1));
        }
    }

    private void connect(RestartState state, int node, int client, Steps<RestartState> steps) {
        Node self = state.nodes().get(node);
        View before = state.view(node, client);
        if (before.run() == self.run()) {
            return;
        }
        boolean isFirst = before.run() == 0;
        boolean old = isOld(self, isFirst);
        boolean vouched = isFirst ? vouchesForAnybody(self) : vouchesFor(self, before);
        View after = new View(
                self.run(),
                isFirst,
                vouched,
                old || vouched ? self.marker() : before.remembered(),
                isFirst && old,
                isFirst && isMarkedEarlier(self));
        steps.step(
                state.with(node, self.with(client, after)),
                Model.text("client %d connects to %c", client + 1, 'A' + node));
    }

    private boolean vouchesFor(Node node, View before) {
        boolean same = rules.contains(RestartRule.MARKER_REMEMBERED)
                ? node.marker() == before.remembered()
                : node.marker() != 0;
        return node.marker() != 0 && same && isKept(node);
    }

    private boolean vouchesForAnybody(Node node) {
        boolean earlier = isMarkedEarlier(node) || !rules.contains(RestartRule.EARLIER_MARKER);
        return node.marker() != 0 && earlier && isKept(node);
    }

    private boolean isKept(Node node) {
        return node.file() || !rules.contains(RestartRule.FILE_REQUIRED);
    }

    private static boolean isMarkedEarlier(Node node) {
        return node.marker() != 0 && node.marker() != node.run();
    }

    /** Whether what the node says counts for the client. */
    private boolean counts(RestartState state, int node, int client) {
        Node self = state.nodes().get(node);
        View view = state.view(node, client);
        return view.run() == self.run()
                && (isOld(self, view.isFirst()) || view.vouched() || view.isFirst() && isNewFleet(state, client));
    }

    private boolean isOld(Node node, boolean isFirst) {
        boolean believed = isFirst || !rules.contains(RestartRule.UPTIME_BOUNDED);
        return node.age() >= LEASE || believed && node.madeUp();
    }

    private boolean isNewFleet(RestartState state, int client) {
        for (int node = 0; node < NODES; node++) {
            View view = state.view(node, client);
            boolean unheard = view.run() == 0 && rules.contains(RestartRule.ALL_HEARD);
            boolean old = view.foundOld() && rules.contains(RestartRule.NONE_OLD);
            boolean marked = view.foundMarked() && rules.contains(RestartRule.NONE_MARKED_EARLIER);
            if (unheard || old || marked) {
                return false;
            }
        }
        return true;
    }

    // What happens to nodes.

    private void restart(RestartState state, int node, Steps<RestartState> steps) {
        for (Memory memory : bounds.memories) {
            if (memory == Memory.FILE && !state.nodes().get(node).file()) {
                // A server that keeps no file has none to come back with.
                continue;
            }
            for (boolean madeUp : bounds.madeUpUptimes ? new boolean[] {false, true} : new boolean[] {false}) {
                Node restarted = state.nodes().get(node).restarted(memory, madeUp);
                steps.step(
                        state.with(node, restarted).oneRestartLess(),
                        Model.text(
                                "%c restarts with %s%s",
                                'A' + node,
                                memory.name().toLowerCase(java.util.Locale.ROOT),
                                madeUp ? ", and tells a long uptime" : ""));
            }
        }
    }

    private static RestartState tick(RestartState state) {
        return new RestartState(
                state.nodes().stream().map(node -> node.older(LEASE)).toList(),
                state.valid().stream().map(valid -> Math.max(0, valid - 1)).toList(),
                state.restarts());
    }

    // What must hold.

    @Override
    public List<Invariant<RestartState>> invariants() {
        return List.of(new Invariant<>(
                ONE_HOLDER,
                state -> state.valid().stream().filter(valid -> valid > 0).count() <= 1));
    }

    /** Which node is called A does not matter. */
    @Override
    public Object identity(RestartState state) {
        return numbering.identity(state.nodes(), List.of(state.valid(), state.restarts()));
    }
}
