package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.WaitingState.Budget;
import io.holdfast.lock.tests.models.WaitingState.Client;
import io.holdfast.lock.tests.models.WaitingState.Command;
import io.holdfast.lock.tests.models.WaitingState.Feed;
import io.holdfast.lock.tests.models.WaitingState.Kind;
import io.holdfast.lock.tests.models.WaitingState.Reply;
import io.holdfast.lock.tests.models.WaitingState.Sight;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How waiters are woken: the queue of a client, its attempts, its subscription, and holds that are handed over inside the
 * client; and who is refused when its wait ends. There are no polls here and no known times to live, so a waiter that only
 * these would wake is forgotten.
 */
final class WaitingModel implements Model<WaitingState> {
    static final String NO_LOST_WAKE_UP = "no lost wake-up";
    static final String NO_ORPHAN = "no orphan";
    static final String ONE_HOLDER = "one holder";
    static final String NO_BLIND_REFUSAL = "no blind refusal";

    private final Set<WaitingRule> rules;
    private final WaitingBounds bounds;

    WaitingModel(Set<WaitingRule> rules, WaitingBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public WaitingState start() {
        Budget budget = new Budget(
                bounds.others - 1,
                bounds.waiters,
                bounds.cancels,
                bounds.drops,
                bounds.losses,
                bounds.ambiguities,
                bounds.deadlines,
                bounds.pauses);
        return new WaitingState(
                WaitingState.OTHER, false, Client.NEW, List.of(), List.of(), Feed.SILENT, Sight.NONE, budget);
    }

    @Override
    public void steps(WaitingState state, Steps<WaitingState> steps) {
        others(state, steps);
        calls(state, steps);
        server(state, steps);
        client(state, steps);
        troubles(state, steps);
    }

    private void others(WaitingState state, Steps<WaitingState> steps) {
        Budget left = state.budget();
        if (state.stored() == WaitingState.OTHER) {
            steps.step(free(state), () -> "the other process releases");
        } else if (state.stored() == WaitingState.FREE && left.others() > 0) {
            steps.step(state.stores(WaitingState.OTHER).with(left.oneOtherLess()), () -> "the other process acquires");
        }
    }

    // What callers do.

    private void calls(WaitingState state, Steps<WaitingState> steps) {
        Client self = state.client();
        Budget left = state.budget();
        if (left.arrivals() > 0) {
            int waiter = bounds.waiters - left.arrivals() + 1;
            WaitingState joined =
                    state.with(left.oneArrivalLess()).with(self.queue(Lists.appended(self.queue(), waiter)));
            boolean alone = self.queue().isEmpty();
            steps.step(alone ? look(joined) : joined, () -> waiter + " comes to wait");
        }
        if (left.cancels() > 0) {
            cancel(state.with(left.oneCancelLess()), steps);
        }
        if (left.deadlines() > 0) {
            deadline(state.with(left.oneDeadlineLess()), steps);
        }
        if (self.holding() != 0) {
            WaitingState ended = state.with(self.holding(0));
            int field = self.holding();
            steps.step(localEnd(ended.send(new Command(Kind.RELEASE, field, 0))), () -> "the holder releases " + field);
            boolean isIdle = self.asking() == 0 || !rules.contains(WaitingRule.IDLE_RECEIVER);
            if (self.head() != 0 && isIdle) {
                int receiver = self.head() + WaitingState.RECEIVER;
                Client passing =
                        self.holding(0).queue(Lists.withoutFirst(self.queue())).receiving(receiver, false);
                steps.step(
                        state.with(passing)
                                .with(state.sight().passes())
                                .send(new Command(Kind.TRANSFER, field, receiver)),
                        () -> "the holder hands " + field + " over to " + self.head());
            }
        }
    }

    private void cancel(WaitingState state, Steps<WaitingState> steps) {
        Client self = state.client();
        for (int waiter : self.queue()) {
            List<Integer> others =
                    self.queue().stream().filter(other -> other != waiter).toList();
            WaitingState without = state.with(self.queue(others));
            if (self.asking() == waiter) {
                without = without.with(without.client().asking(0).permit(false))
                        .send(new Command(Kind.RELEASE, waiter, 0));
            }
            boolean looks = self.head() == waiter && rules.contains(WaitingRule.NEW_HEAD_LOOKS);
            steps.step(looks ? look(without) : without, () -> waiter + " is cancelled");
        }
        if (self.receiving() != 0 && !self.cancelled()) {
            boolean noted = rules.contains(WaitingRule.CANCEL_NOTED);
            steps.step(
                    state.with(noted ? self.receiving(self.receiving(), true) : self.receiving(0, false)),
                    () -> (self.receiving() - WaitingState.RECEIVER) + " is cancelled while it receives");
        }
    }

    /** A wait ends. Who has a request in flight waits for its answer, and who has seen nobody for that of the head. */
    private void deadline(WaitingState state, Steps<WaitingState> steps) {
        Client self = state.client();
        if (!state.sight().seen() && rules.contains(WaitingRule.SEEN)) {
            return;
        }
        for (int waiter : self.queue()) {
            if (self.asking() != waiter) {
                List<Integer> others =
                        self.queue().stream().filter(other -> other != waiter).toList();
                WaitingState refused =
                        state.with(self.queue(others)).with(state.sight().refuses());
                boolean looks = self.head() == waiter && rules.contains(WaitingRule.NEW_HEAD_LOOKS);
                steps.step(looks ? look(refused) : refused, () -> waiter + " is refused when its wait is over");
            }
        }
    }

    // What the server does.

    private void server(WaitingState state, Steps<WaitingState> steps) {
        if (!state.commands().isEmpty()) {
            Command command = state.commands().get(0);
            steps.step(execute(state.executed(), command), () -> "server executes " + command);
        }
        Feed feed = state.feed();
        if (!feed.requests().isEmpty()) {
            int number = feed.requests().get(0);
            List<Integer> rest = Lists.withoutFirst(feed.requests());
            List<Integer> news = number > 0 ? Lists.appended(feed.news(), number) : feed.news();
            steps.step(
                    state.subscribed(number > 0).with(new Feed(rest, news)),
                    () -> number > 0 ? "server subscribes " + number : "server ends subscription " + -number);
        }
    }

    private WaitingState execute(WaitingState state, Command command) {
        boolean isOwn = state.stored() == command.field();
        return switch (command.kind()) {
            case ATTEMPT -> {
                boolean granted = isOwn || state.stored() == WaitingState.FREE;
                yield (granted ? state.stores(command.field()) : state).reply(command, granted);
            }
            case RELEASE -> isOwn ? free(state) : state;
            case TRANSFER -> {
                boolean moved = isOwn || state.stored() == command.receiver();
                yield (moved ? state.stores(command.receiver()) : state).reply(command, moved);
            }
        };
    }

    private WaitingState free(WaitingState state) {
        WaitingState freed = state.stores(WaitingState.FREE);
        Feed feed = state.feed();
        boolean tells = state.subscribed() && rules.contains(WaitingRule.PUBLISHED);
        return tells ? freed.with(new Feed(feed.requests(), Lists.appended(feed.news(), Feed.MESSAGE))) : freed;
    }

    // What the client does.

    private void client(WaitingState state, Steps<WaitingState> steps) {
        Client self = state.client();
        if (!state.replies().isEmpty()) {
            Reply reply = state.replies().get(0);
            steps.step(
                    receive(state.heard(), reply),
                    () -> "client hears: " + reply.command() + ": " + (reply.yes() ? "yes" : "no"));
        }
        Feed feed = state.feed();
        if (!feed.news().isEmpty()) {
            int news = feed.news().get(0);
            WaitingState heard = state.with(new Feed(feed.requests(), Lists.withoutFirst(feed.news())));
            steps.step(
                    news == Feed.MESSAGE ? look(heard) : confirm(heard, news),
                    () -> news == Feed.MESSAGE
                            ? "client gets a message"
                            : "client gets the confirmation of subscription " + news);
        }
        if (self.subscription() != 0 && self.queue().isEmpty()) {
            List<Integer> requests = Lists.appended(feed.requests(), -self.subscription());
            steps.step(
                    state.with(self.unsubscribed()).with(new Feed(requests, feed.news())), () -> "client unsubscribes");
        }
        if (self.holding() != 0 && state.stored() != self.holding()) {
            steps.step(localEnd(state.with(self.holding(0))), () -> "the holder is told that its hold is lost");
        }
    }

    private WaitingState receive(WaitingState state, Reply reply) {
        return reply.command().kind() == Kind.ATTEMPT
                ? attempted(state, reply.command().field(), reply.yes())
                : transferred(state, reply.command().receiver(), reply.yes());
    }

    private WaitingState attempted(WaitingState state, int waiter, boolean granted) {
        Client self = state.client();
        if (self.asking() != waiter) {
            return state;
        }
        Sight sight = state.sight();
        boolean lately = sight.askedLately() || !rules.contains(WaitingRule.SEEN_FROM_SEND);
        WaitingState answered = state.with(self.asking(0)).with(sight.seen(granted ? lately : lately || sight.seen()));
        if (!self.queue().contains(waiter)) {
            return answered;
        }
        if (granted) {
            List<Integer> others =
                    self.queue().stream().filter(other -> other != waiter).toList();
            WaitingState holding = answered.with(self.asking(0).queue(others).holding(waiter));
            return rules.contains(WaitingRule.NEW_HEAD_LOOKS) ? look(holding) : holding;
        }
        if (self.permit()) {
            return look(answered);
        }
        return self.subscription() == 0 ? subscribe(answered) : answered;
    }

    private WaitingState transferred(WaitingState state, int receiver, boolean moved) {
        Client self = state.client();
        if (self.receiving() != receiver) {
            return state;
        }
        WaitingState done = state.with(self.receiving(0, false));
        if (self.cancelled()) {
            return localEnd(moved ? done.send(new Command(Kind.RELEASE, receiver, 0)) : done);
        }
        if (moved) {
            Sight sight = done.sight();
            boolean lately = sight.passedLately() || !rules.contains(WaitingRule.SEEN_FROM_SEND);
            WaitingState holding = done.with(done.client().holding(receiver)).with(sight.seen(lately));
            return rules.contains(WaitingRule.NEW_HEAD_LOOKS) ? look(holding) : holding;
        }
        List<Integer> queue = new ArrayList<>(List.of(receiver - WaitingState.RECEIVER));
        queue.addAll(self.queue());
        WaitingState back = done.with(done.client().queue(List.copyOf(queue)));
        return rules.contains(WaitingRule.FAILURE_LOOKS) ? look(back) : back;
    }

    private WaitingState confirm(WaitingState state, int number) {
        Client self = state.client();
        boolean isOwn = number == self.subscription() || !rules.contains(WaitingRule.OWN_CONFIRMATION);
        if (!isOwn || self.subscription() == 0 || self.confirmed()) {
            return state;
        }
        WaitingState confirmed = state.with(self.withConfirmation());
        return rules.contains(WaitingRule.CONFIRMATION_LOOKS) ? look(confirmed) : confirmed;
    }

    /** The head attempts; if an attempt is in flight, after that. */
    private WaitingState look(WaitingState state) {
        Client self = state.client();
        if (self.head() == 0) {
            return state;
        }
        if (self.asking() != 0) {
            return rules.contains(WaitingRule.PERMIT) ? state.with(self.permit(true)) : state;
        }
        return state.with(self.asking(self.head()).permit(false))
                .with(state.sight().asks())
                .send(new Command(Kind.ATTEMPT, self.head(), 0));
    }

    private WaitingState localEnd(WaitingState state) {
        WaitingState unseen = state.with(state.sight().seen(false));
        return rules.contains(WaitingRule.LOCAL_END_LOOKS) ? look(unseen) : unseen;
    }

    private static WaitingState subscribe(WaitingState state) {
        Client self = state.client().subscribing();
        List<Integer> requests = Lists.appended(state.feed().requests(), self.subscription());
        return state.with(self).with(new Feed(requests, state.feed().news()));
    }

    // What goes wrong.

    private void troubles(WaitingState state, Steps<WaitingState> steps) {
        Budget left = state.budget();
        Client self = state.client();
        if (left.drops() > 0) {
            WaitingState dropped =
                    state.with(left.oneDropLess()).subscribed(false).with(Feed.SILENT);
            boolean again = self.subscription() != 0 && rules.contains(WaitingRule.RESUBSCRIBES);
            steps.step(again ? subscribe(dropped) : dropped, () -> "the connection for messages is dropped");
        }
        if (left.pauses() > 0) {
            boolean free = state.stored() == WaitingState.FREE;
            steps.step(
                    state.with(left.onePauseLess()).with(state.sight().later(free)),
                    () -> "more time passes than what was seen is trusted for");
        }
        if (left.losses() > 0 && self.holding() != 0 && state.stored() == self.holding()) {
            steps.step(state.with(left.oneLossLess()).stores(WaitingState.FREE), () -> "server loses the key");
        }
        if (left.ambiguities() > 0
                && !state.replies().isEmpty()
                && state.replies().get(0).command().kind() == Kind.TRANSFER) {
            Command transfer = state.replies().get(0).command();
            WaitingState lost = state.with(left.oneAmbiguityLess()).heard();
            boolean again = rules.contains(WaitingRule.AMBIGUITY_RESOLVED);
            steps.step(
                    again ? lost.send(transfer) : transferred(lost, transfer.receiver(), false),
                    () -> "the answer to " + transfer + " is lost");
        }
    }

    // What must hold.

    @Override
    public List<Invariant<WaitingState>> invariants() {
        return List.of(
                new Invariant<>(NO_LOST_WAKE_UP, state -> !forgotten(state)),
                new Invariant<>(NO_ORPHAN, state -> !orphan(state)),
                new Invariant<>(ONE_HOLDER, this::oneHolder),
                new Invariant<>(NO_BLIND_REFUSAL, state -> !state.sight().blind()));
    }

    /** The lock is free, somebody waits, and nothing is on its way that would wake him. */
    private static boolean forgotten(WaitingState state) {
        Client self = state.client();
        return state.stored() == WaitingState.FREE
                && self.head() != 0
                && self.holding() == 0
                && isQuiet(state)
                && state.feed().equals(Feed.SILENT);
    }

    /** The client has the lock on the server, for nobody. */
    private static boolean orphan(WaitingState state) {
        return state.stored() > 0 && state.stored() != state.client().holding() && isQuiet(state);
    }

    private static boolean isQuiet(WaitingState state) {
        return state.commands().isEmpty() && state.replies().isEmpty();
    }

    /** Who holds has the lock on the server, unless the server has lost it. */
    private boolean oneHolder(WaitingState state) {
        int holding = state.client().holding();
        return holding == 0 || holding == state.stored() || state.budget().losses() < bounds.losses;
    }
}
