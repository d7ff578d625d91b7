package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.NodeElectionState.Campaign;
import io.holdfast.lock.tests.models.NodeElectionState.Heard;
import io.holdfast.lock.tests.models.NodeElectionState.Lies;
import io.holdfast.lock.tests.models.NodeElectionState.Look;
import io.holdfast.lock.tests.models.NodeElectionState.Node;
import io.holdfast.lock.tests.models.NodeElectionState.Phase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An election over three nodes, as one observer sees it that reads one node after the other. The lock excludes by itself here, as the
 * models of the RedLock show; its tokens are made as there. The observer does not compare terms: that they increase follows.
 */
final class NodeElectionModel implements Model<NodeElectionState> {
    static final String TRUE_LEADER = "true leader";
    static final String TRUE_SILENCE = "true silence";
    static final String SEEN_BY_ALL = "seen by all";
    static final String TERMS_INCREASE = "terms increase";
    static final String ONE_TERM = "one term";

    private static final int NODES = 3;
    private static final int MAJORITY = 2;
    private static final int ALL = (1 << NODES) - 1;
    private static final List<Integer> UNSEEN = Collections.nCopies(NODES, 0);

    private final Set<NodeElectionRule> rules;
    private final NodeElectionBounds bounds;
    private final Numbering numbering = new Numbering();

    NodeElectionModel(Set<NodeElectionRule> rules, NodeElectionBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public NodeElectionState start() {
        return new NodeElectionState(
                Collections.nCopies(NODES, Node.FIRST),
                Collections.nCopies(bounds.campaigns, Campaign.FIRST),
                Collections.nCopies(NODES, Look.NEW),
                0,
                UNSEEN,
                0,
                Lies.NO,
                bounds.restarts);
    }

    @Override
    public void steps(NodeElectionState state, Steps<NodeElectionState> steps) {
        Steps<NodeElectionState> observed = (next, what) -> steps.step(observed(withoutRests(next)), what);
        for (int number = 0; number < bounds.campaigns; number++) {
            campaignSteps(state, number, observed);
            for (int node = 0; node < NODES; node++) {
                requestSteps(state, number, node, observed);
            }
        }
        for (int node = 0; node < NODES; node++) {
            nodeSteps(state, node, observed);
            lookSteps(state, node, steps);
        }
    }

    // Candidates.

    private void campaignSteps(NodeElectionState state, int number, Steps<NodeElectionState> steps) {
        Campaign self = state.campaigns().get(number);
        String name = "campaign " + (number + 1);
        switch (self.phase()) {
            case IDLE -> {
                // Two that begin at one time propose the same.
                int proposal =
                        state.nodes().stream().mapToInt(Node::clock).max().orElseThrow() + 1;
                steps.step(
                        state.with(number, new Campaign(Phase.ASKING, proposal, ALL, 0, 0)),
                        () -> name + " begins, and proposes " + proposal);
            }
            case ASKING -> agree(state, number, steps);
            case ELECTED -> {
                int needed = rules.contains(NodeElectionRule.MAJORITY_PROCLAIMS) ? MAJORITY : 1;
                if (Integer.bitCount(self.confirmed()) >= needed) {
                    steps.step(state.with(number, self.in(Phase.LEADING)), () -> name + " returns to its caller");
                }
            }
            default -> {}
        }
        if (self.phase() != Phase.IDLE && !self.isOver()) {
            steps.step(
                    state.with(number, self.in(Phase.OVER)),
                    () -> name + " is over: it has resigned, given up, died or lost");
        }
    }

    /** Where the tokens differ the highest is written back, until a majority has it. */
    private void agree(NodeElectionState state, int number, Steps<NodeElectionState> steps) {
        List<Node> granted =
                state.nodes().stream().filter(node -> node.holder() == number).toList();
        if (granted.size() < MAJORITY) {
            return;
        }
        int highest = granted.stream().mapToInt(Node::token).max().orElseThrow();
        long agreed = granted.stream().filter(node -> node.token() == highest).count();
        if (agreed >= MAJORITY) {
            Campaign self = state.campaigns().get(number);
            steps.step(
                    state.with(number, new Campaign(Phase.ELECTED, highest, self.asks(), ALL, 0)),
                    () -> "campaign " + (number + 1) + " is elected in term " + highest);
            return;
        }
        for (int node = 0; node < NODES; node++) {
            Node self = state.nodes().get(node);
            if (self.holder() == number && self.token() < highest) {
                steps.step(
                        state.with(node, self.granted(number, highest)),
                        Model.text("%c adopts token %d of campaign %d", 'A' + node, highest, number + 1));
            }
        }
    }

    // What nodes are sent.

    private void requestSteps(NodeElectionState state, int number, int node, Steps<NodeElectionState> steps) {
        Campaign campaign = state.campaigns().get(number);
        Node self = state.nodes().get(node);
        int bit = 1 << node;
        if ((campaign.asks() & bit) != 0 && !campaign.isOver()) {
            boolean grants = self.holder() == NodeElectionState.NONE && !self.young();
            int proposal = campaign.phase() == Phase.ASKING ? campaign.term() : 0;
            NodeElectionState answered = state.with(number, campaign.answered(node));
            steps.step(
                    grants ? answered.with(node, self.granted(number, Math.max(proposal, self.clock() + 1))) : answered,
                    Model.text("%c %s campaign %d", 'A' + node, grants ? "grants its lock to" : "refuses", number + 1));
        }
        if ((campaign.says() & bit) != 0) {
            steps.step(
                    proclaimed(state, number, node),
                    Model.text("%c executes the proclamation of campaign %d", 'A' + node, number + 1));
        }
        boolean joins = campaign.isElected() && places(state, number) >= MAJORITY;
        if (joins && self.holder() == NodeElectionState.NONE && !self.young()) {
            steps.step(
                    state.with(node, self.granted(number, campaign.term())).with(number, campaign.sends(node)),
                    Model.text("%c joins the hold of campaign %d", 'A' + node, number + 1));
        }
    }

    private NodeElectionState proclaimed(NodeElectionState state, int number, int node) {
        Campaign campaign = state.campaigns().get(number);
        Node self = state.nodes().get(node);
        boolean holds = self.holder() == number;
        boolean writes = holds || (self.holder() != NodeElectionState.NONE && !rules.contains(NodeElectionRule.HELD));
        NodeElectionState after = state.with(number, campaign.proclaimed(node, writes));
        if (!writes) {
            return after;
        }
        boolean adopts = holds && rules.contains(NodeElectionRule.TOKEN_FIRST);
        Node told = adopts ? self.granted(number, campaign.term()) : self;
        return after.with(node, told.naming(number));
    }

    /** Forgets what has no effect any more: of records that can't count, and of campaigns that are over. */
    private NodeElectionState withoutRests(NodeElectionState state) {
        NodeElectionState next = state;
        for (int node = 0; node < NODES && rules.contains(NodeElectionRule.RECORD_OF_TOKEN); node++) {
            Node self = next.nodes().get(node);
            if (self.term() > 0 && self.term() != self.token()) {
                next = next.with(node, self.withoutRecord());
            }
        }
        for (int number = 0; number < bounds.campaigns; number++) {
            Campaign campaign = next.campaigns().get(number);
            if (campaign.isOver()) {
                int says =
                        rules.contains(NodeElectionRule.HELD) ? campaign.says() & bits(next, number) : campaign.says();
                next = next.with(number, new Campaign(Phase.OVER, campaign.term(), 0, says, 0));
            } else if (campaign.phase() == Phase.LEADING) {
                next = next.with(
                        number, new Campaign(Phase.LEADING, campaign.term(), campaign.asks(), campaign.says(), 0));
            }
        }
        return next;
    }

    /** The nodes that a campaign has. */
    private static int bits(NodeElectionState state, int number) {
        int bits = 0;
        for (int node = 0; node < NODES; node++) {
            bits |= state.nodes().get(node).holder() == number ? 1 << node : 0;
        }
        return bits;
    }

    // Nodes.

    private void nodeSteps(NodeElectionState state, int node, Steps<NodeElectionState> steps) {
        Node self = state.nodes().get(node);
        if (self.holder() != NodeElectionState.NONE
                && state.campaigns().get(self.holder()).isOver()) {
            steps.step(
                    state.with(node, self.freed()),
                    Model.text("%c is freed: a release, or the lease is over", 'A' + node));
        }
        if (state.restarts() > 0) {
            steps.step(
                    state.with(node, self.restarted()).oneRestartLess(),
                    Model.text("%c restarts without its data", 'A' + node));
        }
        if (self.young() && isForgotten(state)) {
            steps.step(state.with(node, self.old()), Model.text("%c counts again", 'A' + node));
        }
    }

    /** The longest lease is over: what lives has been renewed at a majority without that node. */
    private boolean isForgotten(NodeElectionState state) {
        for (int number = 0; number < bounds.campaigns; number++) {
            Campaign campaign = state.campaigns().get(number);
            if (campaign.phase() == Phase.ASKING || (campaign.isElected() && places(state, number) < MAJORITY)) {
                return false;
            }
        }
        return true;
    }

    private static int places(NodeElectionState state, int number) {
        return (int)
                state.nodes().stream().filter(node -> node.holder() == number).count();
    }

    // The observer.

    private void lookSteps(NodeElectionState state, int node, Steps<NodeElectionState> steps) {
        if (state.looks().get(node).heard() != Heard.NOTHING_YET) {
            return;
        }
        boolean begins = state.looks().stream().allMatch(Look.NEW::equals);
        NodeElectionState looking = begins ? state.during(holders(state), visible(state)) : state;
        Node self = state.nodes().get(node);
        steps.step(judged(looking.reads(node, read(self))), Model.text("the observer reads %c", 'A' + node));
        if (!state.looks().contains(Look.SILENT)) {
            // With two of them nothing is known, whatever the third one says.
            steps.step(
                    judged(looking.reads(node, Look.SILENT)),
                    Model.text("%c does not answer the observer", 'A' + node));
        }
    }

    private Look read(Node node) {
        boolean compares = rules.contains(NodeElectionRule.RECORD_OF_TOKEN);
        boolean counts = node.term() > 0 && (!compares || (node.holder() >= 0 && node.term() == node.token()));
        return counts ? new Look(Heard.ANSWER, node.term(), node.named()) : new Look(Heard.ANSWER, 0, -1);
    }

    /** Ends the look if it is decided, or nothing more will come. */
    private NodeElectionState judged(NodeElectionState state) {
        int needed = rules.contains(NodeElectionRule.MAJORITY_TELLS) ? MAJORITY : 1;
        int most = 0;
        for (Look look : state.looks()) {
            int same = look.term() == 0
                    ? 0
                    : (int) state.looks().stream()
                            .filter(other -> other.term() == look.term())
                            .count();
            if (same >= needed) {
                return over(told(state, look));
            }
            most = Math.max(most, same);
        }
        boolean mindsSilence = rules.contains(NodeElectionRule.SILENCE_IS_NO_ANSWER);
        long open = state.looks().stream()
                .filter(look -> look.heard() == Heard.NOTHING_YET || (look.heard() == Heard.SILENCE && mindsSilence))
                .count();
        if (most + open < MAJORITY) {
            Lies lies = state.lies();
            return over(state.tells(
                    0, new Lies(lies.ofLeader(), lies.ofNone() || isVisible(state.visible()), lies.backwards())));
        }
        return state.looks().contains(Look.NEW) ? state : over(state);
    }

    private NodeElectionState told(NodeElectionState state, Look look) {
        Campaign named = state.campaigns().get(look.named());
        boolean isTrue = named.term() == look.term() && (state.held() & 1 << look.named()) != 0;
        Lies lies = state.lies();
        return state.tells(
                look.term(),
                new Lies(lies.ofLeader() || !isTrue, lies.ofNone(), lies.backwards() || look.term() < state.told()));
    }

    private static NodeElectionState over(NodeElectionState state) {
        NodeElectionState next = state.during(0, UNSEEN);
        for (int node = 0; node < NODES; node++) {
            next = next.reads(node, Look.NEW);
        }
        return next;
    }

    /** What is noted of a look that is under way. */
    private NodeElectionState observed(NodeElectionState state) {
        return state.looks().stream().allMatch(Look.NEW::equals)
                ? state
                : state.during(state.held() | holders(state), both(state.visible(), visible(state)));
    }

    private static List<Integer> both(List<Integer> before, List<Integer> now) {
        return IntStream.range(0, NODES)
                .mapToObj(node -> before.get(node) & now.get(node))
                .toList();
    }

    private int holders(NodeElectionState state) {
        int holders = 0;
        for (int number = 0; number < bounds.campaigns; number++) {
            holders |= places(state, number) >= MAJORITY ? 1 << number : 0;
        }
        return holders;
    }

    /** Of which campaigns each node tells now. */
    private List<Integer> visible(NodeElectionState state) {
        List<Integer> visible = new ArrayList<>(NODES);
        for (Node node : state.nodes()) {
            boolean tells = node.holder() != NodeElectionState.NONE
                    && node.named() == node.holder()
                    && node.term() == node.token()
                    && node.term() == state.campaigns().get(node.holder()).term();
            visible.add(tells ? 1 << node.holder() : 0);
        }
        return visible;
    }

    private boolean isVisible(List<Integer> visible) {
        for (int number = 0; number < bounds.campaigns; number++) {
            if (tellingOf(visible, number) >= MAJORITY) {
                return true;
            }
        }
        return false;
    }

    private static long tellingOf(List<Integer> visible, int number) {
        return visible.stream().filter(bits -> (bits & 1 << number) != 0).count();
    }

    // What must hold.

    @Override
    public List<Invariant<NodeElectionState>> invariants() {
        return List.of(
                new Invariant<>(TRUE_LEADER, state -> !state.lies().ofLeader()),
                new Invariant<>(TRUE_SILENCE, state -> !state.lies().ofNone()),
                new Invariant<>(SEEN_BY_ALL, this::areSeen),
                new Invariant<>(TERMS_INCREASE, state -> !state.lies().backwards()),
                new Invariant<>(ONE_TERM, this::haveTermsOfTheirOwn));
    }

    /** A leader is told of by a majority from when its campaign returns, unless a node that had its record has forgotten. */
    private boolean areSeen(NodeElectionState state) {
        for (int number = 0; number < bounds.campaigns; number++) {
            boolean leads = state.campaigns().get(number).phase() == Phase.LEADING;
            if (leads && state.restarts() == bounds.restarts && tellingOf(visible(state), number) < MAJORITY) {
                return false;
            }
        }
        return true;
    }

    private boolean haveTermsOfTheirOwn(NodeElectionState state) {
        List<Integer> terms = state.campaigns().stream()
                .filter(Campaign::isElected)
                .map(Campaign::term)
                .toList();
        return terms.stream().distinct().count() == terms.size();
    }

    /** Which node is called A does not matter. */
    @Override
    public Object identity(NodeElectionState state) {
        List<Object> parts = new ArrayList<>(NODES);
        for (int node = 0; node < NODES; node++) {
            int bit = node;
            List<Integer> bits = state.campaigns().stream()
                    .map(each ->
                            (each.asks() >> bit & 1) << 2 | (each.says() >> bit & 1) << 1 | each.confirmed() >> bit & 1)
                    .toList();
            parts.add(List.of(
                    state.nodes().get(node),
                    state.looks().get(node),
                    state.visible().get(node),
                    bits));
        }
        List<Campaign> rest = state.campaigns().stream()
                .map(each -> new Campaign(each.phase(), each.term(), 0, 0, 0))
                .toList();
        return numbering.identity(parts, List.of(rest, state.held(), state.told(), state.lies(), state.restarts()));
    }
}
