package io.holdfast.lock.tests.models;

import java.util.List;

/**
 * Nodes with their runs and markers, and what each client has seen of them. Time is what is left of each lease.
 *
 * @param valid for each client, how long it holds the lock; 0 if it does not
 * @param restarts how many more times a node may restart
 */
record RestartState(List<Node> nodes, List<Integer> valid, int restarts) {

    /** What a process knows of what the one before it knew. */
    enum Memory {
        NOTHING,
        /** The marker: the lock was taken after the snapshot. */
        SNAPSHOT,
        FILE
    }

    /**
     * @param run its number; 1 is the run at the start
     * @param age for how long it has been up, up to the age at which it counts
     * @param madeUp whether it tells a longer uptime
     * @param marker the run that was first marked; 0 for no marker
     * @param file whether it says that it keeps an append-only file
     * @param owner the client that has it, and 0 for none
     * @param left how long its lease still is
     * @param views one for each client
     */
    record Node(int run, int age, boolean madeUp, int marker, boolean file, int owner, int left, List<View> views) {

        Node with(int client, View view) {
            return new Node(run, age, madeUp, marker, file, owner, left, Lists.replaced(views, client, view));
        }

        Node marked(int first) {
            return new Node(run, age, madeUp, marker == 0 ? first : marker, file, owner, left, views);
        }

        Node granted(int client, int lease) {
            return new Node(run, age, madeUp, marker, file, client + 1, lease, views);
        }

        Node older(int most) {
            int stillLeft = Math.max(0, left - 1);
            int stillOwner = stillLeft == 0 ? 0 : owner;
            return new Node(run, Math.min(most, age + 1), madeUp, marker, file, stillOwner, stillLeft, views);
        }

        Node restarted(Memory memory, boolean madeUp) {
            boolean knows = memory == Memory.FILE;
            return new Node(
                    run + 1,
                    0,
                    madeUp,
                    memory == Memory.NOTHING ? 0 : marker,
                    memory != Memory.SNAPSHOT,
                    knows ? owner : 0,
                    knows ? left : 0,
                    views);
        }
    }

    /**
     * What a client knows of a node.
     *
     * @param run the latest run that it was connected to; 0 for none
     * @param isFirst whether that is the first one that it has seen
     * @param vouched whether it takes that run to remember what the one before knew
     * @param remembered the marker of the latest run that counted; 0 for none
     * @param foundOld whether the first run that it saw was old then
     * @param foundMarked whether the first run that it saw had an earlier one's marker
     */
    record View(int run, boolean isFirst, boolean vouched, int remembered, boolean foundOld, boolean foundMarked) {
        static final View NONE = new View(0, false, false, 0, false, false);

        View remembering(int marker) {
            return new View(run, isFirst, vouched, marker, foundOld, foundMarked);
        }
    }

    View view(int node, int client) {
        return nodes.get(node).views().get(client);
    }

    RestartState with(int node, Node changed) {
        return new RestartState(Lists.replaced(nodes, node, changed), valid, restarts);
    }

    RestartState holding(int client, int lease) {
        return new RestartState(nodes, Lists.replaced(valid, client, lease), restarts);
    }

    RestartState oneRestartLess() {
        return new RestartState(nodes, valid, restarts - 1);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append(String.format(
                    "node %c: run %d, up for %d, marker %s, %s%n",
                    'A' + i,
                    node.run(),
                    node.age(),
                    node.marker() == 0 ? "none" : "of run " + node.marker(),
                    node.owner() == 0 ? "free" : "client " + node.owner() + "'s, " + node.left() + " left"));
        }
        for (int i = 0; i < valid.size(); i++) {
            text.append(String.format("client %d: valid for %d%n", i + 1, valid.get(i)));
        }
        return text.toString().stripTrailing();
    }
}
