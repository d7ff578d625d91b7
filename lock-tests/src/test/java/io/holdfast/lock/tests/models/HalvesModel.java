package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.HalvesState.Asker;
import io.holdfast.lock.tests.models.HalvesState.Kind;
import io.holdfast.lock.tests.models.HalvesState.Link;
import io.holdfast.lock.tests.models.HalvesState.Node;
import io.holdfast.lock.tests.models.HalvesState.Phase;
import io.holdfast.lock.tests.models.HalvesState.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the halves of a read/write lock over three or five nodes exclude each other. Each hold is asked for in one round; a writer's owner
 * may ask to read beside it. Late answers, and several rounds of one client, are in the model of the RedLock.
 */
final class HalvesModel implements Model<HalvesState> {
    static final String WRITERS_ALONE = "writers alone";

    private final Set<HalvesRule> rules;
    private final HalvesBounds bounds;
    private final int nodes;
    private final Numbering numbering = new Numbering();

    HalvesModel(Set<HalvesRule> rules, HalvesBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.nodes = bounds.nodes;
    }

    @Override
    public HalvesState start() {
        int askers = bounds.roles.size();
        Node node = new Node(
                HalvesState.NONE, false, 0, Collections.nCopies(askers, 0), 0, Collections.nCopies(askers, Link.IDLE));
        return new HalvesState(
                Collections.nCopies(nodes, node),
                Collections.nCopies(askers, new Asker(Phase.IDLE, bounds.renewals)),
                bounds.losses,
                bounds.restarts);
    }

    @Override
    public void steps(HalvesState state, Steps<HalvesState> steps) {
        for (int asker = 0; asker < bounds.roles.size(); asker++) {
            ownSteps(state, asker, steps);
            for (int node = 0; node < nodes; node++) {
                linkSteps(state, node, asker, steps);
            }
        }
        for (int node = 0; node < nodes && state.restarts() > 0; node++) {
            steps.step(restarted(state, node), Model.text("%c restarts without its data", 'A' + node));
        }
        steps.step(tick(state), () -> "time passes");
    }

    // What owners do by themselves.

    private void ownSteps(HalvesState state, int asker, Steps<HalvesState> steps) {
        switch (state.asker(asker).phase()) {
            case IDLE -> {
                if (!isUpgrade(state, asker)) {
                    steps.step(ask(state, asker), Model.text("hold %d is asked for at all nodes", asker + 1));
                }
            }
            case ASKING -> steps.step(undo(state, asker), Model.text("hold %d is given up: undo", asker + 1));
            case HOLDING -> {
                steps.step(undo(state, asker), Model.text("hold %d is released", asker + 1));
                if (state.asker(asker).renewals() > 0) {
                    steps.step(renew(state, asker), Model.text("hold %d is renewed at all that granted", asker + 1));
                }
            }
            case OVER -> {
                for (int node = 0; node < nodes; node++) {
                    if (state.link(node, asker).owed()
                            && state.link(node, asker).requests().isEmpty()) {
                        HalvesState repeated =
                                state.with(node, asker, state.link(node, asker).send(Kind.RELEASE));
                        steps.step(
                                repeated, Model.text("the undo of hold %d is repeated at %c", asker + 1, 'A' + node));
                    }
                }
            }
        }
    }

    /** Refused before anything is sent (rule 52). */
    private boolean isUpgrade(HalvesState state, int asker) {
        Role role = bounds.roles.get(asker);
        for (int other = 0; other < bounds.roles.size() && role.writes(); other++) {
            boolean active = state.asker(other).phase() != Phase.IDLE
                    && state.asker(other).phase() != Phase.OVER;
            if (other != asker && active && bounds.roles.get(other).owner() == role.owner()) {
                return true;
            }
        }
        return false;
    }

    private HalvesState ask(HalvesState state, int asker) {
        int lease = bounds.roles.get(asker).lease();
        return state.with(asker, state.asker(asker).in(Phase.ASKING))
                .onAll(asker, link -> link.asked(lease).send(Kind.PROPOSE));
    }

    private HalvesState renew(HalvesState state, int asker) {
        int lease = bounds.roles.get(asker).lease();
        Asker self = state.asker(asker);
        return state.with(asker, new Asker(self.phase(), self.renewals() - 1))
                .onAll(
                        asker,
                        link -> link.valid() >= 0 && link.requests().isEmpty()
                                ? link.asked(lease).send(Kind.RENEW)
                                : link);
    }

    private HalvesState undo(HalvesState state, int asker) {
        HalvesState over = state.with(asker, state.asker(asker).in(Phase.OVER));
        if (bounds.isLate) {
            return over.onAll(asker, link -> {
                boolean told = link.valid() >= 0 || !link.requests().isEmpty();
                Link after = link.valid(HalvesState.NONE);
                return told ? after.owed(true).send(Kind.RELEASE) : after;
            });
        }
        for (int node = 0; node < nodes; node++) {
            over = over.with(node, released(over.nodes().get(node), asker)).with(node, asker, Link.IDLE);
        }
        return over;
    }

    // What happens to messages.

    private void linkSteps(HalvesState state, int node, int asker, Steps<HalvesState> steps) {
        Link link = state.link(node, asker);
        if (link.requests().isEmpty()) {
            return;
        }
        Kind request = link.requests().get(0);
        HalvesState sent = state.with(node, asker, link.advance());
        steps.step(
                latchLoss(executed(sent, node, asker, request), asker),
                Model.text("%c executes %s of hold %d", 'A' + node, lower(request), asker + 1));
        if (request == Kind.RELEASE && state.losses() > 0) {
            steps.step(sent.oneLossLess(), Model.text("%c never gets the undo of hold %d", 'A' + node, asker + 1));
        }
    }

    private HalvesState executed(HalvesState state, int node, int asker, Kind request) {
        Node self = state.nodes().get(node);
        Role role = bounds.roles.get(asker);
        return switch (request) {
            case PROPOSE -> {
                boolean leftOut = self.young() > 0 && rules.contains(HalvesRule.FORGETFUL_LEFT_OUT);
                Node granted = leftOut ? null : role.writes() ? written(self, asker) : read(self, asker);
                if (granted == null) {
                    yield state.with(node, asker, state.link(node, asker).asked(0));
                }
                yield mayHold(answered(state.with(node, granted), node, asker), asker);
            }
            case RENEW -> {
                boolean there = role.writes() ? self.writer() == asker : self.reads(asker);
                if (!there) {
                    yield state.with(node, asker, state.link(node, asker).valid(HalvesState.NONE));
                }
                Node renewed = role.writes()
                        ? self.writing(asker, role.lease())
                        : sealed(self.reading(asker, role.lease()), role.lease());
                yield answered(state.with(node, renewed), node, asker);
            }
            case RELEASE -> {
                HalvesState after = state.with(node, released(self, asker));
                yield after.with(node, asker, after.link(node, asker).owed(false));
            }
        };
    }

    /** The writer's proposal looks at the key and at nothing else. */
    private @Nullable Node written(Node self, int asker) {
        boolean ignoresReaders = !rules.contains(HalvesRule.WRITER_REFUSED) && self.writer() == HalvesState.NONE;
        boolean fits = self.isFree() || self.writer() == asker || ignoresReaders;
        return fits ? self.writing(asker, bounds.roles.get(asker).lease()) : null;
    }

    private @Nullable Node read(Node self, int asker) {
        int owner = bounds.roles.get(asker).owner();
        boolean fits = self.writer() == HalvesState.NONE
                || bounds.roles.get(self.writer()).owner() == owner
                || !rules.contains(HalvesRule.READER_REFUSED);
        int lease = bounds.roles.get(asker).lease();
        return fits ? sealed(self.swept().reading(asker, lease), lease) : null;
    }

    private Node released(Node self, int asker) {
        if (bounds.roles.get(asker).writes()) {
            if (self.writer() != asker) {
                return self;
            }
            return rules.contains(HalvesRule.RELEASE_LEAVES_READERS) && self.shared()
                    ? sealed(self.withoutWriter(), 0)
                    : self.gone();
        }
        return self.reads(asker) ? sealed(self.reading(asker, 0), 0) : self;
    }

    /** @param lease that of the reader that has come */
    private Node sealed(Node self, int lease) {
        boolean onlyNewest = !rules.contains(HalvesRule.LAST_READER) && lease > 0;
        return self.living(onlyNewest ? lease : self.lastReader());
    }

    private HalvesState answered(HalvesState state, int node, int asker) {
        Link link = state.link(node, asker);
        return state.with(node, asker, link.valid(link.asked()));
    }

    private HalvesState mayHold(HalvesState state, int asker) {
        boolean asking = state.asker(asker).phase() == Phase.ASKING;
        return asking && granted(state, asker) >= majority(asker) && validity(state, asker) > 0
                ? state.with(asker, state.asker(asker).in(Phase.HOLDING))
                : state;
    }

    // Time, and what it takes away.

    private HalvesState tick(HalvesState state) {
        List<Node> later = new ArrayList<>(nodes);
        for (Node node : state.nodes()) {
            List<Link> links = new ArrayList<>(node.links().size());
            for (Link link : node.links()) {
                int valid = link.valid() == HalvesState.NONE ? HalvesState.NONE : Math.max(0, link.valid() - 1);
                links.add(
                        bounds.isLate
                                ? new Link(link.requests(), Math.max(0, link.asked() - 1), valid, link.owed())
                                : new Link(List.of(), 0, valid, false));
            }
            boolean ends = node.left() <= 1;
            later.add(new Node(
                    ends ? HalvesState.NONE : node.writer(),
                    !ends && node.shared(),
                    Math.max(0, node.left() - 1),
                    node.readers().stream().map(left -> Math.max(0, left - 1)).toList(),
                    Math.max(0, node.young() - 1),
                    List.copyOf(links)));
        }
        HalvesState after = new HalvesState(List.copyOf(later), state.askers(), state.losses(), state.restarts());
        for (int asker = 0; asker < bounds.roles.size(); asker++) {
            after = latchLoss(after, asker);
        }
        return after;
    }

    /** A hold whose validity is over is lost for good, and undone. */
    private HalvesState latchLoss(HalvesState state, int asker) {
        return state.holds(asker) && validity(state, asker) <= 0 ? undo(state, asker) : state;
    }

    private HalvesState restarted(HalvesState state, int node) {
        Node before = state.nodes().get(node);
        List<Link> links = before.links().stream()
                .map(link -> new Link(List.of(), link.asked(), link.valid(), link.owed()))
                .toList();
        Node forgetful = new Node(
                HalvesState.NONE, false, 0, Collections.nCopies(links.size(), 0), bounds.longestLease(), links);
        return state.with(node, forgetful).oneRestartLess();
    }

    // What an owner believes.

    private int validity(HalvesState state, int asker) {
        int[] valid = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            valid[node] = state.link(node, asker).valid();
        }
        Arrays.sort(valid);
        boolean perNode = rules.contains(HalvesRule.VALID_PER_NODE)
                || bounds.roles.get(asker).writes();
        return perNode ? valid[nodes - majority(asker)] : valid[nodes - 1];
    }

    private int granted(HalvesState state, int asker) {
        int granted = 0;
        for (int node = 0; node < nodes; node++) {
            granted += state.link(node, asker).valid() >= 0 ? 1 : 0;
        }
        return granted;
    }

    private int majority(int asker) {
        boolean few = !bounds.roles.get(asker).writes() && !rules.contains(HalvesRule.MAJORITY_READS);
        return few ? 1 : nodes / 2 + 1;
    }

    // What must hold.

    @Override
    public List<Invariant<HalvesState>> invariants() {
        return List.of(new Invariant<>(WRITERS_ALONE, this::writersAlone));
    }

    private boolean writersAlone(HalvesState state) {
        for (int one = 0; one < bounds.roles.size(); one++) {
            for (int two = 0; two < bounds.roles.size(); two++) {
                Role writer = bounds.roles.get(one);
                boolean others = writer.owner() != bounds.roles.get(two).owner();
                if (writer.writes() && others && state.holds(one) && state.holds(two)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Which node is called A does not matter. */
    @Override
    public Object identity(HalvesState state) {
        return numbering.identity(state.nodes(), List.of(state.askers(), state.losses(), state.restarts()));
    }

    private static String lower(Kind kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }
}
