package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An election over nodes.
 *
 * @param looks what the observer has read of each node in the look that is under way
 * @param held the campaigns that had a majority of the locks at any time of the look, as bits
 * @param visible of which campaigns each node has told for the whole of the look, as bits
 * @param told the newest term that the observer was told of
 * @param lies what has been violated
 * @param restarts how many more times a node may restart without its data
 */
record NodeElectionState(
        List<Node> nodes,
        List<Campaign> campaigns,
        List<Look> looks,
        int held,
        List<Integer> visible,
        int told,
        Lies lies,
        int restarts) {
    static final int NONE = -1;

    /**
     * One node.
     *
     * @param holder the campaign that has its lock
     * @param token of the lock
     * @param clock the newest token that it has seen; it survives, as the node's time does
     * @param term of the record
     * @param named whom the record names
     * @param young whether it is left out after a restart
     */
    record Node(int holder, int token, int clock, int term, int named, boolean young) {
        static final Node FIRST = new Node(NONE, 0, 0, 0, NONE, false);

        Node granted(int campaign, int newToken) {
            return new Node(campaign, newToken, Math.max(clock, newToken), term, named, young);
        }

        Node freed() {
            return new Node(NONE, 0, clock, term, named, young);
        }

        Node naming(int campaign) {
            return new Node(holder, token, clock, token, campaign, young);
        }

        Node restarted() {
            return new Node(NONE, 0, clock, 0, NONE, true);
        }

        Node withoutRecord() {
            return new Node(holder, token, clock, 0, NONE, young);
        }

        Node old() {
            return new Node(holder, token, clock, term, named, false);
        }
    }

    enum Phase {
        IDLE,
        ASKING,
        ELECTED,
        LEADING,
        OVER
    }

    /**
     * One campaign. What is sent to a node is executed at any later time, or never.
     *
     * @param term what it proposes, and then its term
     * @param asks the nodes that have its request, as bits
     * @param says the nodes that have its proclamation, as bits
     * @param confirmed the nodes that have confirmed that, as bits
     */
    record Campaign(Phase phase, int term, int asks, int says, int confirmed) {
        static final Campaign FIRST = new Campaign(Phase.IDLE, 0, 0, 0, 0);

        Campaign in(Phase next) {
            return new Campaign(next, term, asks, says, confirmed);
        }

        Campaign answered(int node) {
            return new Campaign(phase, term, asks & ~(1 << node), says, confirmed);
        }

        Campaign sends(int node) {
            return new Campaign(phase, term, asks, says | 1 << node, confirmed);
        }

        Campaign proclaimed(int node, boolean yes) {
            int bit = 1 << node;
            return new Campaign(phase, term, asks, says & ~bit, yes ? confirmed | bit : confirmed);
        }

        boolean isElected() {
            return phase == Phase.ELECTED || phase == Phase.LEADING;
        }

        boolean isOver() {
            return phase == Phase.OVER;
        }
    }

    enum Heard {
        NOTHING_YET,
        SILENCE,
        ANSWER
    }

    /**
     * What a look has read of one node.
     *
     * @param term 0: it tells of none
     */
    record Look(Heard heard, int term, int named) {
        static final Look NEW = new Look(Heard.NOTHING_YET, 0, NONE);
        static final Look SILENT = new Look(Heard.SILENCE, 0, NONE);
    }

    /**
     * What the observer should not have been told.
     *
     * @param ofLeader a leader that had no majority of the locks in the whole look, or another one's term
     * @param ofNone that no candidate leads, while the same majority told of one for the whole look
     * @param backwards a term before the last
     */
    record Lies(boolean ofLeader, boolean ofNone, boolean backwards) {
        static final Lies NO = new Lies(false, false, false);
    }

    NodeElectionState with(int node, Node changed) {
        return new NodeElectionState(
                Lists.replaced(nodes, node, changed), campaigns, looks, held, visible, told, lies, restarts);
    }

    NodeElectionState with(int number, Campaign changed) {
        return new NodeElectionState(
                nodes, Lists.replaced(campaigns, number, changed), looks, held, visible, told, lies, restarts);
    }

    NodeElectionState reads(int node, Look look) {
        return new NodeElectionState(
                nodes, campaigns, Lists.replaced(looks, node, look), held, visible, told, lies, restarts);
    }

    NodeElectionState during(int nowHeld, List<Integer> nowVisible) {
        return new NodeElectionState(nodes, campaigns, looks, nowHeld, nowVisible, told, lies, restarts);
    }

    NodeElectionState tells(int term, Lies seen) {
        return new NodeElectionState(nodes, campaigns, looks, held, visible, Math.max(told, term), seen, restarts);
    }

    NodeElectionState oneRestartLess() {
        return new NodeElectionState(nodes, campaigns, looks, held, visible, told, lies, restarts - 1);
    }

    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            lines.add(String.format(
                    "node %c: %s, record %s%s, read: %s",
                    'A' + i,
                    node.holder() == NONE ? "free" : "held by " + (node.holder() + 1) + " with token " + node.token(),
                    node.term() == 0 ? "none" : "of " + (node.named() + 1) + " in term " + node.term(),
                    node.young() ? ", left out" : "",
                    looks.get(i)));
        }
        for (int i = 0; i < campaigns.size(); i++) {
            Campaign campaign = campaigns.get(i);
            lines.add(String.format(
                    "campaign %d: %s, term %d",
                    i + 1, campaign.phase().name().toLowerCase(Locale.ROOT), campaign.term()));
        }
        lines.add("the newest term that was told: " + told);
        return String.join(System.lineSeparator(), lines);
    }
}
