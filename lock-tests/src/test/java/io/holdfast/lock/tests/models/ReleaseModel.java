package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.ReleaseState.Known;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which permit a release gives back that names none (rules 123, 124). Calls of one client, and another client that takes what is left.
 * Requests are answered at once: what happens to them on their way is in the models of one server and of the queue. The server loses
 * permits; the client finds out at a renewal, or at a release.
 */
final class ReleaseModel implements Model<ReleaseState> {
    private static final int NEVER = 4;

    static final String EXCESS = "no excess";
    static final String TOLD = "told the truth";
    static final String NOTHING_STAYS = "nothing stays";

    private final Set<ReleaseRule> rules;
    private final ReleaseBounds bounds;

    ReleaseModel(Set<ReleaseRule> rules, ReleaseBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public ReleaseState start() {
        List<Integer> out = IntStream.range(0, bounds.calls())
                .mapToObj(call -> Integer.valueOf(ReleaseState.OUT))
                .toList();
        return new ReleaseState(out, List.of(), 0, 0, 0, 0, 0, false, false);
    }

    @Override
    public void steps(ReleaseState state, Steps<ReleaseState> steps) {
        for (int call = 0; call < bounds.calls(); call++) {
            int which = call;
            if (state.inside().get(call) != ReleaseState.OUT) {
                steps.step(release(state, call), () -> "call " + which + " releases");
            } else if (state.size() < ReleaseBounds.LIMIT && state.minted() < ReleaseBounds.PERMITS) {
                steps.step(take(state, call), () -> "call " + which + " takes a permit");
            }
        }
        if (state.strays() < bounds.strays && state.isUnsettled()) {
            steps.step(release(state, ReleaseState.OUT), () -> "a thread releases that has taken none");
        }
        if (state.size() < ReleaseBounds.LIMIT) {
            steps.step(with(state, state.known(), state.live(), state.others() + 1), () -> "another client takes one");
        }
        if (state.others() > 0) {
            steps.step(with(state, state.known(), state.live(), state.others() - 1), () -> "another client releases");
        }
        if (state.losses() < ReleaseBounds.LOSSES) {
            losses(state, steps);
        }
        ReleaseState noticed = noticed(state);
        if (!noticed.equals(state)) {
            steps.step(noticed, () -> "the client renews its permits");
        }
    }

    // --- taking ---

    private ReleaseState take(ReleaseState state, int call) {
        int permit = state.minted();
        int taker = call < bounds.keepers
                ? call
                : call < bounds.keepers + bounds.handed ? ReleaseState.DISPATCHER : ReleaseState.NO_THREAD;
        return new ReleaseState(
                Lists.replaced(state.inside(), call, permit),
                Lists.appended(state.known(), new Known(permit, taker, false, false)),
                state.live() | 1 << permit,
                state.others(),
                permit + 1,
                state.losses(),
                state.strays(),
                state.excess(),
                state.misled());
    }

    // --- losing ---

    private void losses(ReleaseState state, Steps<ReleaseState> steps) {
        if (!bounds.failover) {
            steps.step(lose(state, state.live(), 0), () -> "the server forgets everything");
            return;
        }
        for (int gone = state.live(); gone > 0; gone = (gone - 1) & state.live()) {
            int lost = gone;
            steps.step(
                    noticed(lose(state, lost, state.others())),
                    () -> "a failover loses " + Integer.toBinaryString(lost) + ", which the client hears");
        }
    }

    private static ReleaseState lose(ReleaseState state, int gone, int others) {
        List<Integer> inside = state.inside().stream()
                .map(permit -> permit >= 0 && (gone & 1 << permit) != 0 ? ReleaseState.lost(permit) : permit)
                .toList();
        return new ReleaseState(
                inside,
                state.known(),
                state.live() & ~gone,
                others,
                state.minted(),
                state.losses() + 1,
                state.strays(),
                state.excess(),
                state.misled());
    }

    private ReleaseState noticed(ReleaseState state) {
        List<Known> known = new ArrayList<>();
        for (Known permit : state.known()) {
            if (state.isAtServer(permit)) {
                known.add(permit);
            } else if (rules.contains(ReleaseRule.LOSS_REMEMBERED)) {
                known.add(permit.nowLost());
            }
        }
        return with(state, known, state.live(), state.others());
    }

    // --- releasing ---

    /** @param call whose release it is; {@link ReleaseState#OUT} if it is due to none */
    private ReleaseState release(ReleaseState state, int call) {
        boolean stray = call == ReleaseState.OUT;
        int thread = call < bounds.keepers ? call : ReleaseState.OUT;
        int meant = stray ? ReleaseState.OUT : state.inside().get(call);
        Known found = first(state, thread);
        boolean hits = found != null && !found.lost() && state.isAtServer(found);
        List<Known> known = new ArrayList<>(state.known());
        if (found != null) {
            known.remove(found);
            boolean ofAnother = found.taker() != ReleaseState.NO_THREAD && found.taker() != thread;
            if (!hits && ofAnother && rules.contains(ReleaseRule.TAKER_HEARS)) {
                known.add(state.known().indexOf(found), found.nowSettled());
            }
        }
        boolean excess = hits && (stray || ReleaseState.isLost(meant));
        boolean misled = !stray && !hits && !ReleaseState.isLost(meant);
        return new ReleaseState(
                stray ? state.inside() : left(state, call, found, hits, known),
                List.copyOf(known),
                hits ? state.live() & ~(1 << found.permit()) : state.live(),
                state.others(),
                state.minted(),
                state.losses(),
                state.strays() + (stray ? 1 : 0),
                state.excess() || excess,
                state.misled() || misled);
    }

    /**
     * A call leaves. If it was given back the permit of another, or was told of its loss, that one goes by what is left, unless its own
     * thread is to be told as well.
     */
    private List<Integer> left(ReleaseState state, int call, @Nullable Known found, boolean hits, List<Known> known) {
        int meant = state.inside().get(call);
        List<Integer> inside = Lists.replaced(state.inside(), call, ReleaseState.OUT);
        if (found == null) {
            return inside;
        }
        boolean isToldLater = found.taker() >= 0
                && found.taker() < bounds.keepers
                && known.stream().anyMatch(permit -> permit.permit() == found.permit());
        int other = inside.indexOf(hits ? found.permit() : ReleaseState.lost(found.permit()));
        return other < 0 || isToldLater ? inside : Lists.replaced(inside, other, meant);
    }

    private @Nullable Known first(ReleaseState state, int thread) {
        List<Known> permits = new ArrayList<>(state.known());
        if (!rules.contains(ReleaseRule.LONGEST_AGO)) {
            Collections.reverse(permits);
        }
        Known best = null;
        for (Known permit : permits) {
            if (rank(permit, thread) < (best == null ? NEVER : rank(best, thread))) {
                best = permit;
            }
        }
        return best;
    }

    private int rank(Known permit, int thread) {
        boolean own = thread >= 0 && permit.taker() == thread && rules.contains(ReleaseRule.OWN_FIRST);
        if (!own && permit.lost() && permit.settled() && rules.contains(ReleaseRule.REFUSED_ONCE)) {
            return NEVER;
        }
        boolean first = permit.lost() && (own || rules.contains(ReleaseRule.LOST_FIRST));
        return (own ? 0 : 2) + (first ? 0 : 1);
    }

    private static ReleaseState with(ReleaseState state, List<Known> known, int live, int others) {
        return new ReleaseState(
                state.inside(),
                known,
                live,
                others,
                state.minted(),
                state.losses(),
                state.strays(),
                state.excess(),
                state.misled());
    }

    // --- what must hold ---

    @Override
    public List<Invariant<ReleaseState>> invariants() {
        return List.of(
                new Invariant<>(EXCESS, this::isWithoutExcess),
                new Invariant<>(TOLD, state -> !bounds.onlyKeepers() || !state.misled()),
                new Invariant<>(NOTHING_STAYS, this::nothingStays));
    }

    /** No living permit was given back for a lost one, and each call inside that has lost none has a permit of its own. */
    private boolean isWithoutExcess(ReleaseState state) {
        return !state.excess()
                && state.size() <= ReleaseBounds.LIMIT
                && state.inside().stream().allMatch(permit -> permit < 0 || (state.live() & 1 << permit) != 0)
                && state.inside().stream()
                                .filter(permit -> permit >= 0)
                                .distinct()
                                .count()
                        == state.inside().stream().filter(permit -> permit >= 0).count();
    }

    private boolean nothingStays(ReleaseState state) {
        boolean empty = state.inside().stream().allMatch(permit -> permit == ReleaseState.OUT);
        return !(bounds.noKeepers() || bounds.onlyKeepers()) || !empty || state.live() == 0;
    }
}
