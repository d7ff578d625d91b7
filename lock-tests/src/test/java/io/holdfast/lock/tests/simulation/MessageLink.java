package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** A client's subscriptions at one server, on a connection of their own, as the production transport keeps them. */
final class MessageLink extends Link {

    /** A channel, who listens, and what the server was asked on the present connection (rule 29). */
    private static final class Topic {

        final LuaString channel;
        /** Whether the channel's slot is on its way to this node, which has to be told. */
        final boolean asking;

        final List<Listening> listeners = new ArrayList<>();
        boolean asked;
        int unanswered;

        Topic(LuaString channel, boolean asking) {
            this.channel = channel;
            this.asking = asking;
        }

        boolean isWanted() {
            return !listeners.isEmpty();
        }

        boolean isConfirmed() {
            return asked && unanswered == 0;
        }
    }

    private final Map<LuaString, Topic> topics = new LinkedHashMap<>();
    /** What was asked and not answered; null for PING. */
    private final Deque<Request> unanswered = new ArrayDeque<>();

    private long expectsSinceNanos;
    private boolean messy;
    private long confirmedNanos;
    private final Consumer<RespValue> moved;
    private @Nullable Event retry;

    MessageLink(SimulatedClient client, SimulatedServer server, Route route) {
        this(client, server, route, error -> {});
    }

    /** @param moved hears of a subscription that is refused since another node is the primary of the channel's slot */
    MessageLink(SimulatedClient client, SimulatedServer server, Route route, Consumer<RespValue> moved) {
        super(client, server, route, false);
        this.moved = moved;
    }

    @Override
    String what() {
        return "messages";
    }

    Subscription subscribe(byte[] channel, Wakeup wakeup) {
        return subscribe(channel, wakeup, false);
    }

    /** @param asking whether the channel's slot is on its way to this node, which has to be told */
    Subscription subscribe(byte[] channel, Wakeup wakeup, boolean asking) {
        Listening listening = new Listening(LuaString.valueUsing(channel), wakeup);
        world.after(0, client, () -> add(listening, asking));
        return listening;
    }

    private final class Listening implements Subscription {

        final LuaString channel;
        final Wakeup wakeup;
        boolean ended;

        Listening(LuaString channel, Wakeup wakeup) {
            this.channel = channel;
            this.wakeup = wakeup;
        }

        @Override
        public void close() {
            if (!ended) {
                ended = true;
                world.after(0, client, () -> remove(this));
            }
        }

        void ready() {
            if (!ended) {
                wakeup.ready();
            }
        }

        void silent() {
            if (!ended) {
                wakeup.silent();
            }
        }

        void message(String text) {
            if (!ended) {
                wakeup.message(text);
            }
        }
    }

    private void add(Listening listening, boolean asking) {
        if (closed || listening.ended) {
            return;
        }
        Topic topic = topics.computeIfAbsent(listening.channel, first -> new Topic(first, asking));
        topic.listeners.add(listening);
        if (topic.isConfirmed()) {
            listening.ready();
        } else {
            adjust(topic);
            start();
        }
    }

    private void remove(Listening listening) {
        Topic topic = topics.get(listening.channel);
        if (topic != null) {
            topic.listeners.remove(listening);
            adjust(topic);
        }
    }

    private void adjust(Topic topic) {
        if (connection != null && topic.isWanted() != topic.asked) {
            topic.asked = topic.isWanted();
            topic.unanswered++;
            write(Request.listen(topic.channel, topic.asked, topic.asking));
        }
        if (!topic.isWanted() && !topic.asked && topic.unanswered == 0) {
            topics.remove(topic.channel);
        }
    }

    private void write(Request request) {
        if (unanswered.isEmpty()) {
            expectsSinceNanos = world.nanos();
        }
        unanswered.add(request);
        Objects.requireNonNull(connection).send(request);
    }

    @Override
    void ping() {
        write(Request.ping());
    }

    @Override
    long expectsSince() {
        return unanswered.isEmpty() ? -1 : expectsSinceNanos;
    }

    @Override
    public void answered(Connection from, Answer answer) {
        if (from != connection) {
            return;
        }
        heard();
        if (answer.isMessage()) {
            Topic topic = topics.get(answer.channel());
            if (topic != null && answer.text() == null) {
                ended(topic);
            } else if (topic != null) {
                String text = String.valueOf(answer.text());
                List.copyOf(topic.listeners).forEach(each -> each.message(text));
            }
            return;
        }
        Topic topic = topicOf(unanswered.remove());
        if (topic != null && answer.error() != null) {
            topic.unanswered--;
            topic.asked &= topic.unanswered > 0;
            retryLater();
            moved.accept(Resp.error(answer.toString()));
        } else if (topic != null) {
            topic.unanswered--;
            if (topic.isConfirmed()) {
                confirmedNanos = world.nanos();
                List.copyOf(topic.listeners).forEach(Listening::ready);
            }
            adjust(topic);
        }
    }

    /** The server has ended the subscription without being asked. */
    private void ended(Topic topic) {
        topic.asked = false;
        List.copyOf(topic.listeners).forEach(Listening::silent);
        adjust(topic);
    }

    /** Asks again later for what the server would not do now. */
    private void retryLater() {
        if (retry == null) {
            retry = world.after(client.options.commandTimeout().toNanos(), client, () -> {
                retry = null;
                List.copyOf(topics.values()).forEach(this::adjust);
            });
        }
    }

    private @Nullable Topic topicOf(Request request) {
        LuaString channel = request.channel;
        return channel == null ? null : topics.get(channel);
    }

    @Override
    void up() {
        if (messy && connection != null) {
            connection.messy(true);
        }
        List.copyOf(topics.values()).forEach(this::adjust);
    }

    @Override
    void down(Connection lost, Fault fault) {
        unanswered.clear();
        for (Topic topic : List.copyOf(topics.values())) {
            topic.asked = false;
            topic.unanswered = 0;
            List.copyOf(topic.listeners).forEach(Listening::silent);
            adjust(topic);
        }
    }

    @Override
    void failed(Fault fault) {
        // Whoever waits gets by with looking from time to time.
    }

    /** Whether messages get lost, doubled and out of order from now on. */
    void messy(boolean on) {
        messy = on;
        if (connection != null) {
            connection.messy(on);
        }
    }

    void end() {
        topics.clear();
        if (retry != null) {
            retry.cancel();
        }
        close();
    }

    /** Since when everything that is wanted has been heard; now, if it is not. */
    long listeningSinceNanos() {
        for (Topic topic : topics.values()) {
            if (topic.isWanted() && !topic.isConfirmed()) {
                return world.nanos();
            }
        }
        return confirmedNanos;
    }

    /** How many channels anybody listens to. */
    int topics() {
        return topics.size();
    }
}
