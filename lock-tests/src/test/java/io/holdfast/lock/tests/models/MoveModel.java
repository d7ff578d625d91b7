package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.MoveState.Budget;
import io.holdfast.lock.tests.models.MoveState.Client;
import io.holdfast.lock.tests.models.MoveState.Keys;
import io.holdfast.lock.tests.models.MoveState.Lock;
import io.holdfast.lock.tests.models.MoveState.Request;
import io.holdfast.lock.tests.models.MoveState.Slot;
import io.holdfast.lock.tests.models.MoveState.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is taken while its slot is moved key by key: a free lock, whose script names the lock and the token clock, finds them at
 * two servers.
 *
 * <p>An answer comes with its execution, or gets lost; between {@code ASK} and the request at the target anything may happen. A lease
 * runs out at the server at any time after it has for its client. How calls follow a slot is in the model of the changeover.
 */
final class MoveModel implements Model<MoveState> {
    static final String ONE_HOLDER = "one holder";
    static final String TOKENS_INCREASE = "tokens increase";
    static final String TOKEN_STORED = "token stored";
    static final String ONE_PLACE = "one place";
    static final String NO_ORPHAN = "no orphan";

    private final Set<MoveRule> rules;
    private final MoveBounds bounds;
    private final Numbering numbering = new Numbering();

    MoveModel(Set<MoveRule> rules, MoveBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public MoveState start() {
        return new MoveState(
                Slot.AT_SOURCE,
                Keys.NONE.with(bounds.clock),
                Keys.NONE,
                0,
                bounds.rounds.stream().map(Client::first).toList(),
                List.of(),
                bounds.clock,
                true,
                new Budget(bounds.losses, bounds.copies, bounds.crashes, bounds.recalls));
    }

    @Override
    public void steps(MoveState state, Steps<MoveState> steps) {
        for (int client = 0; client < state.clients().size(); client++) {
            clientSteps(state, client, steps);
        }
        for (Request copy : state.late()) {
            List<Request> others = new ArrayList<>(state.late());
            others.remove(copy);
            MoveState taken = state.late(List.copyOf(others));
            boolean atTarget = isAtTarget(taken, copy);
            steps.step(
                    isServed(taken, copy, atTarget)
                            ? serve(taken, copy, atTarget).state()
                            : taken,
                    Model.text("%s, which was left behind, is executed", copy));
        }
        slotSteps(state, steps);
        expire(state, false, steps);
        expire(state, true, steps);
        if (state.now() < bounds.ticks) {
            steps.step(state.later(), () -> "time passes");
        }
    }

    // What clients do.

    private void clientSteps(MoveState state, int number, Steps<MoveState> steps) {
        Client self = state.clients().get(number);
        String name = "client " + (number + 1);
        if (self.step() == Step.IDLE) {
            if (self.rounds() > 0) {
                steps.step(state.with(number, self.begins()), () -> name + " wants the lock");
            }
            return;
        }
        if (self.step() == Step.HOLDING) {
            steps.step(state.with(number, self.goesOn(Step.RELEASE, 0)), () -> name + " releases");
        } else {
            request(state, number, steps);
        }
        if (self.valid()) {
            steps.step(
                    state.with(number, self.late()), () -> "the lease of " + name + " passes, or its caller gives up");
        }
        if (state.budget().crashes() > 0) {
            steps.step(state.with(number, self.dead()).with(state.budget().less(0, 0, 1, 0)), () -> name + " dies");
        }
    }

    private void request(MoveState state, int number, Steps<MoveState> steps) {
        Client self = state.clients().get(number);
        Request request = new Request(number, self.round(), self.step(), self.token(), self.asking());
        boolean atTarget = isAtTarget(state, request);
        if (!self.asking() && asksFirst(state, self)) {
            steps.step(state.with(number, self.asks(true)), Model.text("the target is to be asked for %s", request));
            return;
        }
        if (self.asking() && state.slot() == Slot.AT_SOURCE) {
            steps.step(state.with(number, self.asks(false)), Model.text("the target says MOVED to %s", request));
            return;
        }
        if (!isServed(state, request, atTarget)) {
            boolean asks = !atTarget && isAsked(state, request);
            steps.step(
                    state.with(number, asks ? asked(self) : self.goesOn(firstStep(), 0)),
                    Model.text("the %s says %s to %s", name(atTarget), asks ? "ASK" : "TRYAGAIN", request));
            return;
        }
        Served served = serve(state, request, atTarget);
        steps.step(
                goOn(served.state(), number, served.next(), served.token()),
                Model.text("the %s executes %s: %s", name(atTarget), request, served));
        lose(state, number, request, served.state(), steps);
    }

    /** What the source does not have is looked for at the target. */
    private Client asked(Client self) {
        boolean isGone = self.step() == Step.RELEASE && !has(MoveRule.RELEASE_FOLLOWS);
        return isGone ? self.over() : self.asks(true);
    }

    /** Without asking the source first: what names the clock alone goes to the target. */
    private boolean asksFirst(MoveState state, Client self) {
        return state.slot() == Slot.MOVING && self.step().namesTheClock() && !has(MoveRule.SOURCE_FIRST);
    }

    /** The answer gets lost, or the request with it; the client asks again for this, or for all of it. */
    private void lose(MoveState state, int number, Request request, MoveState executed, Steps<MoveState> steps) {
        Budget left = state.budget();
        Client self = state.clients().get(number);
        for (Step again : self.step() == Step.RELEASE || self.step() == Step.ACQUIRE
                ? List.of(self.step())
                : List.of(self.step(), Step.ACQUIRE)) {
            Client repeats = self.goesOn(again, again == Step.ACQUIRE ? 0 : self.token());
            String what = again.name().toLowerCase(Locale.ROOT);
            if (left.losses() > 0) {
                steps.step(
                        executed.with(number, repeats).with(left.less(1, 0, 0, 0)),
                        Model.text("%s is executed, its answer gets lost, and %s is sent again", request, what));
            }
            if (left.copies() > 0) {
                steps.step(
                        state.with(number, repeats).with(left.less(0, 1, 0, 0)).late(sorted(state.late(), request)),
                        Model.text("%s is left behind, and %s is sent again", request, what));
            }
        }
    }

    private static List<Request> sorted(List<Request> copies, Request more) {
        return Lists.appended(copies, more).stream()
                .sorted(Comparator.comparing(Request::step).thenComparingInt(Request::client))
                .toList();
    }

    /** What a client does after an answer: nothing but a release once its lease has passed. */
    private MoveState goOn(MoveState state, int number, Step next, int token) {
        Client self = state.clients().get(number);
        if (next == Step.IDLE) {
            return state.with(number, self.over());
        }
        if (!self.valid() && (self.step() != Step.CONFIRM || has(MoveRule.VALID_FROM_TAKE))) {
            return state.with(number, self.goesOn(Step.RELEASE, 0));
        }
        MoveState after = state.with(number, self.goesOn(next, token));
        return next == Step.HOLDING ? after.handedOut(token) : after;
    }

    // What servers do.

    private static boolean isAtTarget(MoveState state, Request request) {
        return state.slot() == Slot.AT_TARGET || request.asking();
    }

    /** Whether a server executes a request, and does not send the client elsewhere. */
    private static boolean isServed(MoveState state, Request request, boolean atTarget) {
        if (state.slot() != Slot.MOVING) {
            return atTarget == (state.slot() == Slot.AT_TARGET);
        }
        Keys keys = state.keys(atTarget);
        if (request.step() == Step.ACQUIRE) {
            return keys.lock() != null && keys.clock() > 0;
        }
        return atTarget || (request.step().namesTheClock() ? keys.clock() > 0 : keys.lock() != null);
    }

    /** Whether the source says {@code ASK}: it has none of the keys. */
    private static boolean isAsked(MoveState state, Request request) {
        return request.step() != Step.ACQUIRE || state.source().isEmpty();
    }

    private Step firstStep() {
        if (!has(MoveRule.TAKEN_FIRST)) {
            return Step.MINT;
        }
        return has(MoveRule.MINTED) ? Step.TAKE : Step.READ;
    }

    /** What a request has done, and what its client does next. */
    private record Served(MoveState state, Step next, int token) {
        @Override
        public String toString() {
            return next.name().toLowerCase(Locale.ROOT) + " is next" + (token > 0 ? ", with " + token : "");
        }
    }

    private Served serve(MoveState state, Request request, boolean atTarget) {
        Keys keys = state.keys(atTarget);
        Lock lock = keys.lock();
        boolean isOwn = lock != null && lock.isOf(request.client(), request.round());
        int token = request.token();
        switch (request.step()) {
            case ACQUIRE -> {
                if (lock == null) {
                    int minted = mint(state, keys, atTarget);
                    Keys taken = keys.with(minted).with(new Lock(request.client(), request.round(), minted));
                    return new Served(state.with(atTarget, taken), Step.HOLDING, minted);
                }
                boolean goesOn = isOwn && lock.token() == 0 && has(MoveRule.ZERO_GOES_ON);
                Step next = goesOn ? Step.MINT : isOwn ? Step.HOLDING : Step.ACQUIRE;
                return new Served(state, next, next == Step.HOLDING ? lock.token() : 0);
            }
            case TAKE -> {
                if (lock != null && !isOwn) {
                    return new Served(state, Step.ACQUIRE, 0);
                }
                Lock taken = isOwn ? lock : new Lock(request.client(), request.round(), token);
                Step next = !has(MoveRule.MINTED) ? Step.RAISE : taken.token() > 0 ? Step.HOLDING : Step.MINT;
                return new Served(state.with(atTarget, keys.with(taken)), next, taken.token());
            }
            case MINT -> {
                int minted = mint(state, keys, atTarget);
                Step next =
                        !has(MoveRule.TAKEN_FIRST) ? Step.TAKE : has(MoveRule.CONFIRMED) ? Step.CONFIRM : Step.HOLDING;
                return new Served(state.with(atTarget, keys.with(minted)), next, minted);
            }
            case CONFIRM -> {
                boolean writes = isOwn && (lock.token() == 0 || !has(MoveRule.CONFIRMED_ONCE));
                boolean blindly = lock != null && !isOwn && !has(MoveRule.CONFIRMED_OWN);
                Keys confirmed = writes || blindly ? keys.with(new Lock(lock.client(), lock.round(), token)) : keys;
                int granted = isOwn && !writes ? lock.token() : token;
                return new Served(
                        state.with(atTarget, confirmed), isOwn || blindly ? Step.HOLDING : Step.RELEASE, granted);
            }
            case READ -> {
                return new Served(state, Step.TAKE, keys.clock() + 1);
            }
            case RAISE -> {
                int raised = Math.max(keys.clock(), token);
                return new Served(state.with(atTarget, keys.with(raised)), Step.HOLDING, token);
            }
            default -> {
                return new Served(isOwn ? state.with(atTarget, keys.with(null)) : state, Step.IDLE, 0);
            }
        }
    }

    private int mint(MoveState state, Keys keys, boolean atTarget) {
        return Math.max(keys.clock() + 1, state.now() + (atTarget ? bounds.targetTime : bounds.sourceTime));
    }

    private static void expire(MoveState state, boolean atTarget, Steps<MoveState> steps) {
        Lock lock = state.keys(atTarget).lock();
        if (lock == null) {
            return;
        }
        Client owner = state.clients().get(lock.client());
        if (!owner.valid() || owner.round() != lock.round()) {
            steps.step(
                    state.with(atTarget, state.keys(atTarget).with(null)),
                    Model.text("the lease of client %d passes at the %s", lock.client() + 1, name(atTarget)));
        }
    }

    // What happens to the slot.

    private void slotSteps(MoveState state, Steps<MoveState> steps) {
        Keys source = state.source();
        Keys target = state.target();
        if (state.slot() == Slot.AT_SOURCE && (!isOnItsWay(state) || !has(MoveRule.MOVES_APART))) {
            steps.step(state.with(Slot.MOVING), () -> "the slot begins to move");
        }
        if (state.slot() != Slot.MOVING) {
            return;
        }
        if (source.lock() != null) {
            steps.step(state.with(source.with(null), target.with(source.lock())), () -> "the lock is moved");
        }
        if (source.clock() > 0) {
            steps.step(state.with(source.with(0), target.with(source.clock())), () -> "the clock is moved");
        }
        if (source.isEmpty()) {
            steps.step(state.with(Slot.AT_TARGET), () -> "the slot is given to the target");
        }
        if (target.isEmpty() && state.budget().recalls() > 0) {
            steps.step(
                    state.with(Slot.AT_SOURCE).with(state.budget().less(0, 0, 0, 1)), () -> "the move is called off");
        }
    }

    /** Whether a request is on its way to the target, which the source has named before the move was called off. */
    private static boolean isOnItsWay(MoveState state) {
        return state.clients().stream().anyMatch(Client::asking)
                || state.late().stream().anyMatch(Request::asking);
    }

    private static String name(boolean atTarget) {
        return atTarget ? "target" : "source";
    }

    // What must hold.

    @Override
    public List<Invariant<MoveState>> invariants() {
        Stream<Invariant<MoveState>> all = Stream.of(
                new Invariant<>(ONE_HOLDER, MoveModel::oneHolder),
                new Invariant<>(TOKENS_INCREASE, MoveState::increased),
                new Invariant<>(TOKEN_STORED, MoveModel::tokenStored),
                new Invariant<>(ONE_PLACE, MoveModel::onePlace),
                new Invariant<>(NO_ORPHAN, MoveModel::noOrphan));
        return all.filter(invariant -> bounds.isFenced() || !invariant.name().equals(NO_ORPHAN))
                .toList();
    }

    private static boolean oneHolder(MoveState state) {
        return state.clients().stream().filter(Client::holds).count() <= 1;
    }

    /** A lock that has the field of a hold has its token. */
    private static boolean tokenStored(MoveState state) {
        return isStored(state, state.source().lock())
                && isStored(state, state.target().lock());
    }

    private static boolean isStored(MoveState state, @Nullable Lock lock) {
        if (lock == null) {
            return true;
        }
        Client owner = state.clients().get(lock.client());
        return !owner.holds() || owner.round() != lock.round() || owner.token() == lock.token();
    }

    /** No key is at two servers, where {@code MIGRATE} would find it, or at one where no client looks. */
    private static boolean onePlace(MoveState state) {
        boolean twice = state.source().lock() != null && state.target().lock() != null
                || state.source().clock() > 0 && state.target().clock() > 0;
        boolean astray = state.slot() == Slot.AT_SOURCE && !state.target().isEmpty()
                || state.slot() == Slot.AT_TARGET && !state.source().isEmpty();
        return !twice && !astray;
    }

    /** A field that is stored belongs to a round that goes on, or to a client that is dead: that lease runs out. */
    private static boolean noOrphan(MoveState state) {
        for (Keys keys : List.of(state.source(), state.target())) {
            Lock lock = keys.lock();
            if (lock != null) {
                Client owner = state.clients().get(lock.client());
                boolean goesOn = owner.round() == lock.round() && owner.step() != Step.IDLE;
                if (owner.alive() && !goesOn) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public Object identity(MoveState state) {
        return numbering.identity(
                List.of(state.slot(), state.source(), state.target(), state.now()),
                state.clients().get(0),
                state.clients().get(1),
                List.of(state.late(), state.newest(), state.increased(), state.budget()));
    }

    private boolean has(MoveRule rule) {
        return rules.contains(rule);
    }
}
