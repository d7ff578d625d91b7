package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Locale;

/**
 * A lock, the waiters of one client, and the two connections between them. A waiter's number is also its field; what it
 * gets by a transfer is in another field.
 *
 * @param stored the field that the server stores; 0: free
 * @param subscribed whether the server sends messages to the client
 * @param sight what the client has seen of other owners, and whether that misleads it
 */
record WaitingState(
        int stored,
        boolean subscribed,
        Client client,
        List<Command> commands,
        List<Reply> replies,
        Feed feed,
        Sight sight,
        Budget budget) {

    static final int FREE = 0;

    /** The other process. */
    static final int OTHER = -1;

    /** Added to the number of a waiter, the field that a transfer gives it. */
    static final int RECEIVER = 10;

    enum Kind {
        ATTEMPT,
        RELEASE,
        TRANSFER
    }

    record Command(Kind kind, int field, int receiver) {
        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT) + " of " + field + (receiver == 0 ? "" : " to " + receiver);
        }
    }

    record Reply(Command command, boolean yes) {}

    /**
     * The connection for messages.
     *
     * @param requests to subscribe, by number; a negative number ends that subscription
     * @param news confirmations, by number, and messages: 0
     */
    record Feed(List<Integer> requests, List<Integer> news) {
        static final Feed SILENT = new Feed(List.of(), List.of());
        static final int MESSAGE = 0;
    }

    /**
     * What the client has seen of other owners. As much time as that is trusted for passes at once, in one step.
     *
     * @param askedLately whether the attempt in flight was sent since that step
     * @param passedLately whether the transfer in flight was sent since that step
     * @param seen whether an answer said that somebody has the lock, and is trusted
     * @param longFree whether the lock has been free since before that step
     * @param blind whether anybody was refused while it was
     */
    record Sight(boolean askedLately, boolean passedLately, boolean seen, boolean longFree, boolean blind) {
        static final Sight NONE = new Sight(false, false, false, false, false);

        Sight asks() {
            return new Sight(true, passedLately, seen, longFree, blind);
        }

        Sight passes() {
            return new Sight(askedLately, true, false, longFree, blind);
        }

        Sight seen(boolean lately) {
            return new Sight(askedLately, passedLately, lately, longFree, blind);
        }

        Sight held() {
            return new Sight(askedLately, passedLately, seen, false, blind);
        }

        Sight later(boolean free) {
            return new Sight(false, false, false, free, blind);
        }

        Sight refuses() {
            return new Sight(askedLately, passedLately, seen, longFree, blind || longFree);
        }
    }

    /** What may still happen. */
    record Budget(
            int others, int arrivals, int cancels, int drops, int losses, int ambiguities, int deadlines, int pauses) {
        Budget oneOtherLess() {
            return new Budget(others - 1, arrivals, cancels, drops, losses, ambiguities, deadlines, pauses);
        }

        Budget oneArrivalLess() {
            return new Budget(others, arrivals - 1, cancels, drops, losses, ambiguities, deadlines, pauses);
        }

        Budget oneCancelLess() {
            return new Budget(others, arrivals, cancels - 1, drops, losses, ambiguities, deadlines, pauses);
        }

        Budget oneDropLess() {
            return new Budget(others, arrivals, cancels, drops - 1, losses, ambiguities, deadlines, pauses);
        }

        Budget oneLossLess() {
            return new Budget(others, arrivals, cancels, drops, losses - 1, ambiguities, deadlines, pauses);
        }

        Budget oneAmbiguityLess() {
            return new Budget(others, arrivals, cancels, drops, losses, ambiguities - 1, deadlines, pauses);
        }

        Budget oneDeadlineLess() {
            return new Budget(others, arrivals, cancels, drops, losses, ambiguities, deadlines - 1, pauses);
        }

        Budget onePauseLess() {
            return new Budget(others, arrivals, cancels, drops, losses, ambiguities, deadlines, pauses - 1);
        }
    }

    /**
     * @param queue the waiters, head first
     * @param asking the waiter whose attempt is in flight; 0: none
     * @param permit whether to attempt again after a refusal
     * @param holding the field of the hold; 0: none
     * @param receiving the field that a transfer in flight gives; 0: none
     * @param cancelled whether its receiver has been cancelled
     * @param subscription the number of the newest one; 0: none is wanted
     * @param subscriptions how many there were
     */
    record Client(
            List<Integer> queue,
            int asking,
            boolean permit,
            int holding,
            int receiving,
            boolean cancelled,
            int subscription,
            int subscriptions,
            boolean confirmed) {

        static final Client NEW = new Client(List.of(), 0, false, 0, 0, false, 0, 0, false);

        Client queue(List<Integer> queue) {
            return new Client(
                    queue, asking, permit, holding, receiving, cancelled, subscription, subscriptions, confirmed);
        }

        Client asking(int asking) {
            return new Client(
                    queue, asking, permit, holding, receiving, cancelled, subscription, subscriptions, confirmed);
        }

        Client permit(boolean permit) {
            return new Client(
                    queue, asking, permit, holding, receiving, cancelled, subscription, subscriptions, confirmed);
        }

        Client holding(int holding) {
            return new Client(
                    queue, asking, permit, holding, receiving, cancelled, subscription, subscriptions, confirmed);
        }

        Client receiving(int receiving, boolean cancelled) {
            return new Client(
                    queue, asking, permit, holding, receiving, cancelled, subscription, subscriptions, confirmed);
        }

        Client subscribing() {
            int next = subscriptions + 1;
            return new Client(queue, asking, permit, holding, receiving, cancelled, next, next, false);
        }

        Client unsubscribed() {
            return new Client(queue, asking, permit, holding, receiving, cancelled, 0, subscriptions, false);
        }

        Client withConfirmation() {
            return new Client(queue, asking, permit, holding, receiving, cancelled, subscription, subscriptions, true);
        }

        int head() {
            return queue.isEmpty() ? 0 : queue.get(0);
        }
    }

    WaitingState stores(int field) {
        Sight after = field == FREE ? sight : sight.held();
        return new WaitingState(field, subscribed, client, commands, replies, feed, after, budget);
    }

    WaitingState subscribed(boolean subscribed) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, sight, budget);
    }

    WaitingState with(Client client) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, sight, budget);
    }

    WaitingState with(Feed feed) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, sight, budget);
    }

    WaitingState with(Sight sight) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, sight, budget);
    }

    WaitingState with(Budget budget) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, sight, budget);
    }

    WaitingState send(Command command) {
        return new WaitingState(
                stored, subscribed, client, Lists.appended(commands, command), replies, feed, sight, budget);
    }

    WaitingState executed() {
        return new WaitingState(stored, subscribed, client, Lists.withoutFirst(commands), replies, feed, sight, budget);
    }

    WaitingState reply(Command command, boolean yes) {
        List<Reply> more = Lists.appended(replies, new Reply(command, yes));
        return new WaitingState(stored, subscribed, client, commands, more, feed, sight, budget);
    }

    WaitingState heard() {
        return new WaitingState(stored, subscribed, client, commands, Lists.withoutFirst(replies), feed, sight, budget);
    }

    @Override
    public String toString() {
        String holder = stored == FREE ? "free" : stored == OTHER ? "the other process's" : "of field " + stored;
        return String.format(
                "server: %s%s%nclient: queue %s, holds %d, receives %d, subscription %d%s",
                holder,
                subscribed ? ", sends messages" : "",
                client.queue(),
                client.holding(),
                client.receiving(),
                client.subscription(),
                client.confirmed() ? ", confirmed" : "");
    }
}
