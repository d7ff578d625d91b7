package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Nodes, and the holds that their owners ask for. Time is what is left of each lease, so that it may go on for ever.
 *
 * @param losses how many more undos may be lost
 * @param restarts how many more times a node may restart without its data
 */
record HalvesState(List<Node> nodes, List<Asker> askers, int losses, int restarts) {
    static final int NONE = -1;

    /**
     * What one hold is to be.
     *
     * @param owner two holds of one owner do not exclude each other
     * @param lease in ticks
     */
    record Role(boolean writes, int owner, int lease) {
        static Role reader(int owner, int lease) {
            return new Role(false, owner, lease);
        }

        static Role writer(int owner, int lease) {
            return new Role(true, owner, lease);
        }
    }

    /**
     * One node. The lock's key has a writer, or says that there are readers, or both.
     *
     * @param writer who writes
     * @param shared whether the key says that there are readers
     * @param left how long the key lives
     * @param readers how long each reader does, 0 for none; kept beside the key
     * @param young how long the node is still left out after a restart
     * @param links one for each hold
     */
    record Node(int writer, boolean shared, int left, List<Integer> readers, int young, List<Link> links) {

        boolean isFree() {
            return left == 0;
        }

        boolean reads(int asker) {
            return shared && readers.get(asker) > 0;
        }

        int lastReader() {
            return readers.stream().mapToInt(Integer::intValue).max().orElse(0);
        }

        /** No owner has the lock here. What is kept beside the key may stay. */
        Node gone() {
            return new Node(NONE, false, 0, readers, young, links);
        }

        Node writing(int asker, int lease) {
            return new Node(asker, shared, Math.max(left, lease), readers, young, links);
        }

        Node reading(int asker, int lease) {
            return new Node(writer, true, left, Lists.replaced(readers, asker, lease), young, links);
        }

        /** Readers that are left of a key that is gone count for nothing (rule 49). */
        Node swept() {
            return shared
                    ? this
                    : new Node(
                            writer,
                            false,
                            left,
                            readers.stream().map(reader -> 0).toList(),
                            young,
                            links);
        }

        /** The key lives as long as its readers, with a writer at least so long. */
        Node living(int ticks) {
            boolean read = lastReader() > 0;
            if (writer == NONE) {
                return read ? new Node(NONE, true, ticks, readers, young, links) : gone();
            }
            return new Node(writer, read, Math.max(left, ticks), readers, young, links);
        }

        Node withoutWriter() {
            return new Node(NONE, shared, left, readers, young, links);
        }

        Node with(int asker, Link link) {
            return new Node(writer, shared, left, readers, young, Lists.replaced(links, asker, link));
        }
    }

    enum Kind {
        PROPOSE,
        RENEW,
        RELEASE
    }

    /**
     * A connection: what was sent is executed in order, and answered then.
     *
     * @param requests sent and not yet executed
     * @param asked how long the answer to the request in flight would be valid
     * @param valid how long this node's last answer is valid; -1: no grant from it
     * @param owed whether the node has not confirmed that the field is gone
     */
    record Link(List<Kind> requests, int asked, int valid, boolean owed) {
        static final Link IDLE = new Link(List.of(), 0, NONE, false);

        Link send(Kind request) {
            return new Link(Lists.appended(requests, request), asked, valid, owed);
        }

        Link advance() {
            return new Link(Lists.withoutFirst(requests), asked, valid, owed);
        }

        Link asked(int asked) {
            return new Link(requests, asked, valid, owed);
        }

        Link valid(int valid) {
            return new Link(requests, 0, valid, owed);
        }

        Link owed(boolean owed) {
            return new Link(requests, asked, valid, owed);
        }
    }

    enum Phase {
        IDLE,
        ASKING,
        HOLDING,
        OVER
    }

    /** @param renewals how many more times it may renew */
    record Asker(Phase phase, int renewals) {
        Asker in(Phase phase) {
            return new Asker(phase, renewals);
        }
    }

    Asker asker(int asker) {
        return askers.get(asker);
    }

    boolean holds(int asker) {
        return asker(asker).phase() == Phase.HOLDING;
    }

    Link link(int node, int asker) {
        return nodes.get(node).links().get(asker);
    }

    HalvesState with(int asker, Asker changed) {
        return new HalvesState(nodes, Lists.replaced(askers, asker, changed), losses, restarts);
    }

    HalvesState with(int node, Node changed) {
        return new HalvesState(Lists.replaced(nodes, node, changed), askers, losses, restarts);
    }

    HalvesState with(int node, int asker, Link changed) {
        return with(node, nodes.get(node).with(asker, changed));
    }

    HalvesState oneLossLess() {
        return new HalvesState(nodes, askers, losses - 1, restarts);
    }

    HalvesState oneRestartLess() {
        return new HalvesState(nodes, askers, losses, restarts - 1);
    }

    /** Changes the links of a hold to all nodes. */
    HalvesState onAll(int asker, UnaryOperator<Link> change) {
        List<Node> changed = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            changed.add(node.with(asker, change.apply(node.links().get(asker))));
        }
        return new HalvesState(List.copyOf(changed), askers, losses, restarts);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append(String.format(
                    "node %c: %s%s, readers %s%s%n",
                    'A' + i,
                    node.isFree() ? "free" : node.left() + " left",
                    node.writer() == NONE ? "" : ", hold " + (node.writer() + 1) + " writes",
                    node.shared() ? node.readers() : "none",
                    node.young() > 0 ? ", restarted, left out for " + node.young() : ""));
        }
        for (int i = 0; i < askers.size(); i++) {
            int asker = i;
            String valid = nodes.stream()
                    .map(node -> node.links().get(asker).valid())
                    .map(left -> left == NONE ? "-" : left.toString())
                    .collect(Collectors.joining(" "));
            String phase = askers.get(i).phase().name().toLowerCase(Locale.ROOT);
            text.append(String.format("hold %d: %s, validity per node %s%n", i + 1, phase, valid));
        }
        return text.toString().stripTrailing();
    }
}
