package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Locale;

/**
 * A lock, the waiters of one client, and the two connections between them. A waiter's number is also its field; what it
 * gets by a transfer is in another field.
 *
 * @param stored the field that the server stores; 0: free
 * @param subscribed whether the server sends messages to the client
 */
record WaitingState(
        int stored,
        boolean subscribed,
        Client client,
        List<Command> commands,
        List<Reply> replies,
        Feed feed,
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

    /** What may still happen. */
    record Budget(int others, int arrivals, int cancels, int drops, int losses, int ambiguities) {
        Budget oneOtherLess() {
            return new Budget(others - 1, arrivals, cancels, drops, losses, ambiguities);
        }

        Budget oneArrivalLess() {
            return new Budget(others, arrivals - 1, cancels, drops, losses, ambiguities);
        }

        Budget oneCancelLess() {
            return new Budget(others, arrivals, cancels - 1, drops, losses, ambiguities);
        }

        Budget oneDropLess() {
            return new Budget(others, arrivals, cancels, drops - 1, losses, ambiguities);
        }

        Budget oneLossLess() {
            return new Budget(others, arrivals, cancels, drops, losses - 1, ambiguities);
        }

        Budget oneAmbiguityLess() {
            return new Budget(others, arrivals, cancels, drops, losses, ambiguities - 1);
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
        return new WaitingState(field, subscribed, client, commands, replies, feed, budget);
    }

    WaitingState subscribed(boolean subscribed) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, budget);
    }

    WaitingState with(Client client) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, budget);
    }

    WaitingState with(Feed feed) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, budget);
    }

    WaitingState with(Budget budget) {
        return new WaitingState(stored, subscribed, client, commands, replies, feed, budget);
    }

    WaitingState send(Command command) {
        return new WaitingState(stored, subscribed, client, Lists.appended(commands, command), replies, feed, budget);
    }

    WaitingState executed() {
        return new WaitingState(stored, subscribed, client, Lists.withoutFirst(commands), replies, feed, budget);
    }

    WaitingState reply(Command command, boolean yes) {
        List<Reply> more = Lists.appended(replies, new Reply(command, yes));
        return new WaitingState(stored, subscribed, client, commands, more, feed, budget);
    }

    WaitingState heard() {
        return new WaitingState(stored, subscribed, client, commands, Lists.withoutFirst(replies), feed, budget);
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
