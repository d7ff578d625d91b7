package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.HandOverState.Answer;
import io.holdfast.lock.tests.models.HandOverState.Budget;
import io.holdfast.lock.tests.models.HandOverState.Client;
import io.holdfast.lock.tests.models.HandOverState.Grant;
import io.holdfast.lock.tests.models.HandOverState.Hold;
import io.holdfast.lock.tests.models.HandOverState.Kind;
import io.holdfast.lock.tests.models.HandOverState.Request;
import io.holdfast.lock.tests.models.HandOverState.Seen;
import io.holdfast.lock.tests.models.HandOverState.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A lock that a client hands on among its own calls without asking the server: within a grant, which is a field, its lease and a block of
 * tokens. What an unlock can't hand on so goes on by a transfer, or is released.
 *
 * <p>Requests are executed in order, at any later time, and answers are heard in order, at any later time. No step is ever forced, so a
 * client that is stopped for a while, or dies, is one that does nothing. Time is in ticks, the same for all. The time of the server stands
 * still as far as tokens go, so that they increase by the rules alone.
 */
final class HandOverModel implements Model<HandOverState> {
    static final String ONE_HOLDER = "one holder";
    static final String TOKENS_INCREASE = "tokens increase";
    static final String LEASE_KEPT = "promised lease";
    static final String NONE_FORGOTTEN = "none forgotten";
    static final String TURN_ENDS = "turn ends";
    static final String NOTICED = "noticed in time";

    private static final int RIVALS_LEASE = 1;

    private final Set<HandOverRule> rules;
    private final HandOverBounds bounds;
    private final HandOverServer server;
    private final Numbering numbering = new Numbering();

    HandOverModel(Set<HandOverRule> rules, HandOverBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.server = new HandOverServer(rules, bounds);
    }

    @Override
    public HandOverState start() {
        Budget budget = new Budget(
                bounds.leases.size(),
                bounds.cancels,
                bounds.drops,
                bounds.deletions,
                bounds.restarts,
                bounds.renewals,
                bounds.steps);
        return new HandOverState(
                new Server(HandOverState.FREE, 0, 0, 0, false), Client.NEW, bounds.rivals, Seen.NOTHING, budget);
    }

    @Override
    public Object identity(HandOverState state) {
        HandOverState same = state.sinceClock();
        return numbering.identity(same.server(), same.client(), same.seen(), List.of(same.budget(), same.rivals()));
    }

    @Override
    public void steps(HandOverState state, Steps<HandOverState> steps) {
        calls(state, steps);
        messages(state, steps);
        requests(state, steps);
        rival(state, steps);
        troubles(state, steps);
        steps.step(server.later(state), () -> "time passes");
    }

    // What callers do.

    private void calls(HandOverState state, Steps<HandOverState> steps) {
        Client self = state.client();
        Budget left = state.budget();
        if (left.arrivals() > 0) {
            int call = bounds.leases.size() - left.arrivals() + 1;
            HandOverState joined =
                    state.with(left.less(1, 0, 0, 0, 0, 0, 0)).with(self.queue(Lists.appended(self.queue(), call)));
            steps.step(arrived(joined), () -> call + " comes to wait");
        }
        if (left.cancels() > 0) {
            for (int call : self.queue()) {
                steps.step(
                        cancelled(state.with(left.less(0, 1, 0, 0, 0, 0, 0)), call),
                        () -> call + " does not wait any more");
            }
        }
        Hold hold = self.hold();
        if (hold != null) {
            boolean valid = isValid(self);
            steps.step(
                    valid ? unlocked(state) : lost(state),
                    () -> hold.call() + (valid ? " unlocks" : " finds that its hold is over"));
            boolean renews = bounds.isWatched
                    && valid
                    && left.renewals() > 0
                    && self.flight().stream().noneMatch(request -> request.kind() == Kind.RENEW);
            if (renews) {
                Request renewal = Request.of(Kind.RENEW, self.grant().field(), 0, bounds.leases.get(0));
                steps.step(
                        state.with(left.less(0, 0, 0, 0, 0, 1, 0)).with(self.sends(renewal)),
                        () -> "the client renews " + renewal.field());
            }
        }
    }

    private HandOverState arrived(HandOverState state) {
        Client self = state.client();
        boolean isKept = self.grant() != null && self.hold() == null;
        if (isKept && !self.asks() && isUsable(self, lease(self.head()))) {
            return handedOver(state);
        }
        return self.hold() == null && self.queue().size() == 1 && !self.asks() ? asks(state) : state;
    }

    private HandOverState cancelled(HandOverState state, int call) {
        Client self = state.client();
        List<Integer> others =
                self.queue().stream().filter(other -> other != call).toList();
        boolean wasHead = self.head() == call;
        boolean asked = self.flight().stream().anyMatch(request -> request.asks() && request.field() == call);
        Client without = self.queue(others);
        if (asked) {
            List<Request> kept = self.flight().stream()
                    .filter(request -> !(request.field() == call && request.answer() != Answer.NONE))
                    .toList();
            without = without.flight(kept).sends(Request.of(Kind.RELEASE, call, 0, 0));
        }
        HandOverState left = state.with(without);
        return wasHead && without.hold() == null ? asks(left) : left;
    }

    private int lease(int call) {
        return bounds.leases.get(call - 1);
    }

    private boolean isValid(Client self) {
        return self.grant() != null
                && self.grant().valid() > 0
                && (bounds.isWatched || self.hold().left() > 0);
    }

    /** The call that holds the lock gives it up: to the next one here, if there is one, or to others. */
    private HandOverState unlocked(HandOverState state) {
        Client self = state.client();
        if (self.queue().isEmpty()) {
            return released(state);
        }
        int lease = lease(self.head());
        if (self.others() && self.turn() == 0) {
            return asks(released(state));
        }
        if (isUsable(self, lease)) {
            return handedOver(state);
        }
        if (!rules.contains(HandOverRule.CALLED_AGAIN)) {
            return state.with(self.hold(null));
        }
        return transferring(state);
    }

    /** Whether the client may hand the lock on without asking (rules 101 to 105, 107). */
    private boolean isUsable(Client self, int lease) {
        Grant grant = self.grant();
        boolean looksAtClock = rules.contains(HandOverRule.CLOCK_FIRST);
        boolean isOpen = grant.window() > 0 || !rules.contains(HandOverRule.WINDOW);
        boolean lasts = bounds.isWatched
                ? grant.valid() > 0
                : grant.valid() >= lease || !rules.contains(HandOverRule.PROMISE_KEPT) && grant.valid() > 0;
        boolean isSame = grant.lease() == lease || !rules.contains(HandOverRule.SAME_LEASE);
        return (isOpen && lasts || !looksAtClock) && isSame && grant.next() <= grant.end();
    }

    private HandOverState handedOver(HandOverState state) {
        Client self = state.client();
        Grant grant = self.grant();
        int call = self.head();
        int promised = rules.contains(HandOverRule.PROMISE_KEPT) && rules.contains(HandOverRule.CLOCK_FIRST)
                ? lease(call)
                : Math.min(lease(call), Math.max(1, grant.valid()));
        Client after = self.queue(Lists.withoutFirst(self.queue()))
                .grant(grant.used())
                .hold(new Hold(call, bounds.isWatched ? 0 : promised, grant.next()));
        Seen seen = state.seen();
        if (seen.gone() >= bounds.window) {
            seen = seen.breaks(NOTICED);
        }
        boolean isLate =
                seen.told() >= bounds.window || seen.told() == HandOverState.NEVER && seen.waits() >= bounds.window;
        if (isLate) {
            seen = seen.breaks(TURN_ENDS);
        }
        if (!bounds.isWatched && promised < lease(call)) {
            seen = seen.breaks(LEASE_KEPT);
        }
        return handedOut(state.with(after).with(seen));
    }

    /** A call is given a hold. What the server has lost otherwise than by the client is not compared with what it keeps. */
    private HandOverState handedOut(HandOverState state) {
        Hold hold = state.client().hold();
        Server server = state.server();
        Seen seen = state.seen();
        if (seen.gone() == HandOverState.NEVER) {
            boolean isNewClock = state.budget().restarts() < bounds.restarts;
            if (hold.token() <= seen.newest() && !isNewClock) {
                seen = seen.breaks(TOKENS_INCREASE);
            }
            boolean isThere = server.field() == state.client().grant().field();
            if (isThere && !bounds.isWatched && server.left() > lease(hold.call()) + bounds.window) {
                seen = seen.breaks(LEASE_KEPT);
            }
        }
        return state.with(seen.newest(hold.token()));
    }

    private HandOverState transferring(HandOverState state) {
        Client self = state.client();
        int call = self.head();
        Request transfer = Request.of(
                Kind.TRANSFER,
                call + HandOverState.RECEIVER,
                self.grant().field(),
                asked(call, self.queue().size() > 1));
        Client passing = self.queue(Lists.withoutFirst(self.queue()))
                .hold(null)
                .grant(null)
                .sends(transfer);
        Seen seen = state.seen();
        return state.with(passing).with(seen.told() >= bounds.window ? seen.breaks(TURN_ENDS) : seen);
    }

    /** The lease to ask for: somewhat more, where the lock will be handed on. */
    private int asked(int call, boolean handsOn) {
        return lease(call) + (handsOn && !bounds.isWatched ? bounds.window : 0);
    }

    private HandOverState released(HandOverState state) {
        Client self = state.client();
        Client without = self.hold(null)
                .turn(false, 0)
                .sends(Request.of(Kind.RELEASE, self.grant().field(), 0, 0));
        return state.with(rules.contains(HandOverRule.GRANT_ENDS_FIRST) ? without.grant(null) : without);
    }

    /** The hold is over, and the grant with it. */
    private HandOverState lost(HandOverState state) {
        Client self = state.client();
        Client without = self.hold(null)
                .grant(null)
                .turn(false, 0)
                .sends(Request.of(Kind.RELEASE, self.grant().field(), 0, 0));
        return rules.contains(HandOverRule.LOSS_ASKS) ? asks(state.with(without)) : state.with(without);
    }

    /** The head asks, if there is one. */
    private HandOverState asks(HandOverState state) {
        Client self = state.client();
        if (self.head() == 0 || self.asks()) {
            return state;
        }
        int lease = asked(self.head(), self.queue().size() > 1);
        return state.with(self.news(false).sends(Request.of(Kind.ACQUIRE, self.head(), 0, lease)));
    }

    // What the client hears.

    private void messages(HandOverState state, Steps<HandOverState> steps) {
        Client self = state.client();
        if (self.news() && self.hold() == null && !self.asks()) {
            steps.step(asks(state.with(self.news(false))), () -> "the client hears that the lock is free");
        }
        if (self.recall()) {
            Client heard = self.recall(false);
            boolean begins = rules.contains(HandOverRule.RECALL_HEARD) && !self.others();
            steps.step(
                    state.with(begins ? heard.turn(true, bounds.window) : heard)
                            .with(state.seen().isTold()),
                    () -> "the client hears that the rival waits");
        }
        if (!self.flight().isEmpty() && !self.cut()) {
            Request first = self.flight().get(0);
            if (first.answer() != Answer.NONE) {
                HandOverState heard = state.with(self.flight(Lists.withoutFirst(self.flight())));
                steps.step(answered(heard, first), () -> "the client hears: " + first);
            }
        }
    }

    private HandOverState answered(HandOverState state, Request answer) {
        return switch (answer.kind()) {
            case ACQUIRE -> acquired(state, answer);
            case TRANSFER -> transferred(state, answer);
            case RENEW -> renewed(state, answer);
            case RELEASE -> state;
        };
    }

    private HandOverState acquired(HandOverState state, Request answer) {
        Client self = state.client();
        if (self.head() != answer.field()) {
            return state;
        }
        if (answer.answer() == Answer.NO) {
            return self.news() ? asks(state) : state;
        }
        return granted(state.with(self.queue(Lists.withoutFirst(self.queue()))), answer);
    }

    private HandOverState transferred(HandOverState state, Request answer) {
        if (answer.answer() == Answer.YES) {
            return granted(state, answer);
        }
        HandOverState back = backToQueue(state, answer.call());
        return rules.contains(HandOverRule.GONE_ASKS) ? asks(back) : back;
    }

    private static HandOverState backToQueue(HandOverState state, int call) {
        List<Integer> queue = new ArrayList<>(List.of(call));
        queue.addAll(state.client().queue());
        return state.with(state.client().queue(List.copyOf(queue)).turn(false, 0));
    }

    private HandOverState granted(HandOverState state, Request answer) {
        Client self = state.client();
        int call = answer.call();
        int lease = lease(call);
        if (answer.age() >= lease) {
            HandOverState late = backToQueue(state, call);
            return asks(late.with(late.client().sends(Request.of(Kind.RELEASE, answer.field(), 0, 0))));
        }
        Grant grant = new Grant(
                answer.field(),
                answer.lease() - answer.age(),
                Math.max(0, bounds.window - answer.age()),
                answer.token() + 1,
                answer.end(),
                lease);
        boolean isTold = answer.wanted()
                && rules.contains(
                        answer.kind() == Kind.ACQUIRE ? HandOverRule.TOLD_AT_GRANT : HandOverRule.TOLD_AT_TRANSFER);
        boolean begins = answer.kind() == Kind.ACQUIRE || !self.others();
        Client holding = self.grant(grant)
                .hold(new Hold(call, bounds.isWatched ? 0 : lease - answer.age(), answer.token()))
                .turn(self.others() || isTold, begins ? bounds.window : self.turn());
        Seen seen = answer.wanted() ? state.seen().isTold() : state.seen();
        return handedOut(state.with(holding.others() ? holding : holding.turn(false, 0))
                .with(answer.kind() == Kind.ACQUIRE ? seen.begins() : seen));
    }

    private HandOverState renewed(HandOverState state, Request answer) {
        Client self = state.client();
        Grant grant = self.grant();
        if (grant == null || grant.field() != answer.field() || self.hold() == null) {
            return state;
        }
        if (answer.answer() == Answer.NO || grant.valid() == 0) {
            return lost(state);
        }
        int opened = rules.contains(HandOverRule.RENEWAL_OPENS_NONE) ? 0 : bounds.window - answer.age();
        return state.with(self.grant(grant.raised(answer.lease() - answer.age(), opened)));
    }

    // What the server does.

    private void requests(HandOverState state, Steps<HandOverState> steps) {
        Client self = state.client();
        if (self.cut()) {
            return;
        }
        for (int i = 0; i < self.flight().size(); i++) {
            Request request = self.flight().get(i);
            if (request.answer() == Answer.NONE) {
                int at = i;
                steps.step(server.executed(state, at, HandOverServer.BLOCK), () -> "the server executes " + request);
                Budget left = state.budget();
                if (left.steps() > 0 && request.kind() == Kind.ACQUIRE) {
                    steps.step(
                            server.executed(state.with(left.less(0, 0, 0, 0, 0, 0, 1)), at, 1),
                            () -> "the servers execute " + request + " key by key");
                }
                return;
            }
        }
    }

    // What the rival does: its requests are executed and answered at once.

    private void rival(HandOverState state, Steps<HandOverState> steps) {
        Server server = state.server();
        if (server.field() == HandOverState.RIVAL) {
            steps.step(HandOverServer.freed(state), () -> "the rival releases");
        } else if (server.field() == HandOverState.FREE && state.rivals() > 0) {
            int token = server.clock() + 1;
            Grant others = state.client().grant();
            boolean increases = token > state.seen().newest() && (others == null || token > others.end());
            Seen seen = increases || state.budget().restarts() < bounds.restarts
                    ? state.seen()
                    : state.seen().breaks(TOKENS_INCREASE);
            steps.step(
                    state.with(new Server(HandOverState.RIVAL, RIVALS_LEASE, token, token, false))
                            .with(seen.newest(token).waits(HandOverState.NEVER))
                            .oneRivalLess(),
                    () -> "the rival is granted the lock, token " + token);
        } else if (state.rivals() > 0 && state.seen().waits() == HandOverState.NEVER) {
            HandOverState waits = state.with(rules.contains(HandOverRule.WANTED) ? server.hears() : server)
                    .with(state.seen().waits(0));
            steps.step(waits, () -> "the rival is refused; word of it is lost");
            steps.step(waits.with(waits.client().recall(true)), () -> "the rival is refused, and the client is told");
        }
    }

    // What goes wrong.

    private void troubles(HandOverState state, Steps<HandOverState> steps) {
        Budget left = state.budget();
        Client self = state.client();
        boolean isMine = state.server().field() > 0;
        if (left.drops() > 0 && !self.cut()) {
            steps.step(reconnected(state.with(left.less(0, 0, 1, 0, 0, 0, 0))), () -> "the client's connection breaks");
        }
        if (left.deletions() > 0 && isMine) {
            HandOverState deleted = state.with(left.less(0, 0, 0, 1, 0, 0, 0));
            Seen seen = state.seen().gone(0);
            steps.step(HandOverServer.freed(deleted.with(seen)), () -> "the lock is freed by force");
            steps.step(
                    deleted.with(state.server().freed()).with(seen.waits(HandOverState.NEVER)),
                    () -> "the key is evicted");
        }
        if (left.restarts() > 0 && isMine) {
            steps.step(
                    state.with(left.less(0, 0, 0, 0, 1, 0, 0))
                            .with(new Server(HandOverState.FREE, 0, 0, 0, false))
                            .with(self.cut(true))
                            .with(state.seen().gone(0).waits(HandOverState.NEVER)),
                    () -> "the server is restarted without its data");
        }
        if (self.cut()) {
            steps.step(reconnected(state), () -> "the client finds its connection broken");
        }
    }

    /** What has no answer is sent again; a message may have been missed. */
    private HandOverState reconnected(HandOverState state) {
        Client self = state.client();
        Grant grant = self.grant();
        Grant after = grant != null && rules.contains(HandOverRule.SUSPENDED) ? grant.suspended() : grant;
        Client again = self.cut(false)
                .grant(after)
                .flight(self.flight().stream().map(Request::again).toList());
        HandOverState back = state.with(again.queue().isEmpty() ? again : again.news(true));
        boolean isGone = state.seen().gone() != HandOverState.NEVER;
        return isGone ? back.with(state.seen().gone(bounds.window)) : back;
    }

    @Override
    public List<Invariant<HandOverState>> invariants() {
        return List.of(
                new Invariant<>(ONE_HOLDER, this::oneHolder),
                new Invariant<>(NONE_FORGOTTEN, state -> !forgotten(state)),
                kept(TOKENS_INCREASE),
                kept(LEASE_KEPT),
                kept(TURN_ENDS),
                kept(NOTICED));
    }

    private static Invariant<HandOverState> kept(String name) {
        return new Invariant<>(name, state -> !state.seen().broken().equals(name));
    }

    /** While a hold is valid the rival has none, unless the server has lost the field. */
    private boolean oneHolder(HandOverState state) {
        Client self = state.client();
        return self.hold() == null
                || !isValid(self)
                || state.server().field() != HandOverState.RIVAL
                || state.seen().gone() != HandOverState.NEVER;
    }

    /** A call waits while the lock is free, or the client's own and unused, and nothing is under way that would change that. */
    private static boolean forgotten(HandOverState state) {
        Client self = state.client();
        return self.head() != 0
                && self.hold() == null
                && self.flight().isEmpty()
                && !self.news()
                && !self.cut()
                && state.server().field() != HandOverState.RIVAL;
    }
}
