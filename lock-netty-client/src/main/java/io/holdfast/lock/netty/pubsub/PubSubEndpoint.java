package io.holdfast.lock.netty.pubsub;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.Link;
import io.holdfast.lock.netty.connection.LinkSteps;
import io.holdfast.lock.netty.connection.ServerIdentity;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.text.Printable;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All subscriptions at one server. The connection is made for the first of them and then kept.
 *
 * <p>What is wanted is kept in {@link Topic}s; whenever a topic and the server disagree, a request goes out. That one
 * rule covers the first subscription, the last unsubscription, a reconnect, and a server that refused for a while. All
 * state belongs to the event loop; callers only hand over their wishes.
 */
public final class PubSubEndpoint implements NodeMessages {

    private static final Logger log = LoggerFactory.getLogger(PubSubEndpoint.class);

    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final EventLoop loop;
    private final Link link;
    private final LinkSteps steps;
    private final Consumer<RespValue> moved;

    private final Map<String, Topic> topics = new HashMap<>();
    private @Nullable PubSubSession session;
    private @Nullable ScheduledFuture<?> retry;
    private boolean flushScheduled;
    private boolean refusalLogged;
    /**
     * Whether messages of a slot are told at this node and nowhere else, as the connection for scripts has found; empty while
     * there was none. Where the scripts publish has to be where the channels are.
     */
    private Optional<Boolean> sharded = Optional.empty();

    /** The subscriptions at a server of which there is one. */
    public PubSubEndpoint(ConnectionSettings settings, Runtime runtime, IoLoops loops, EventLoop loop) {
        this(settings, runtime, loops, loop, error -> {});
    }

    /** @param moved hears of a subscription that is refused since another node is the primary of the channel's slot */
    public PubSubEndpoint(
            ConnectionSettings settings, Runtime runtime, IoLoops loops, EventLoop loop, Consumer<RespValue> moved) {
        this.moved = moved;
        this.settings = settings;
        this.runtime = runtime;
        this.loop = loop;
        this.link = new Link(loop, loops, settings, runtime, NodeConnection.Use.MESSAGES, false, new LinkOwner());
        this.steps = new LinkSteps(loop, link);
    }

    @Override
    public Subscription subscribe(byte[] channel, Wakeup wakeup) {
        return subscribe(channel, wakeup, false);
    }

    @Override
    public Subscription subscribeAsking(byte[] channel, Wakeup wakeup) {
        return subscribe(channel, wakeup, true);
    }

    private Subscription subscribe(byte[] channel, Wakeup wakeup, boolean asking) {
        Listener listener = new Listener(new String(channel, StandardCharsets.UTF_8), wakeup, this::closed);
        steps.run(() -> add(listener, asking));
        return listener;
    }

    @Override
    public void follow(SocketAddress address, boolean nowSharded) {
        steps.run(() -> {
            sharded = Optional.of(nowSharded);
            if (session != null && session.isSharded() != nowSharded) {
                link.leave("messages travel in another way now");
            }
        });
        steps.follow(address);
    }

    @Override
    public boolean isWanted() {
        return topics.values().stream().anyMatch(Topic::isWanted);
    }

    @Override
    public void rest(String why) {
        if (!isWanted()) {
            link.rest(new Fault(Fault.Kind.CLOSED, false, settings.node(), why));
        }
    }

    @Override
    public Stream<NodeConnection> look() {
        return link.look(NodeConnection.Use.MESSAGES, 0);
    }

    @Override
    public CompletionStage<Void> close() {
        return steps.close(() -> {
            topics.clear();
            if (retry != null) {
                retry.cancel(false);
            }
        });
    }

    private void closed(Listener listener) {
        steps.run(() -> remove(listener));
    }

    private void add(Listener listener, boolean asking) {
        if (steps.isClosed() || listener.isClosed()) {
            return;
        }
        Topic topic = topics.computeIfAbsent(listener.channel, channel -> new Topic(channel, asking));
        topic.add(listener);
        if (topic.isConfirmed()) {
            listener.ready();
        } else {
            adjust(topic);
            link.start();
        }
    }

    private void remove(Listener listener) {
        Topic topic = topics.get(listener.channel);
        if (topic != null) {
            topic.remove(listener);
            adjust(topic);
        }
    }

    /** Makes the server do what is wanted of a topic, if there is a connection, and forgets a topic of no use. */
    private void adjust(Topic topic) {
        if (session != null && topic.needsRequest()) {
            session.request(topic);
            flushSoon();
        }
        if (topic.isForgettable()) {
            topics.remove(topic.channel);
        }
    }

    private void adjustAll() {
        for (Topic topic : List.copyOf(topics.values())) {
            adjust(topic);
        }
    }

    /** One flush for all requests that the event loop makes in this turn. */
    private void flushSoon() {
        if (!flushScheduled) {
            flushScheduled = true;
            loop.execute(() -> {
                flushScheduled = false;
                if (session != null) {
                    session.send();
                }
            });
        }
    }

    /** Asks again later for what the server would not do now; waiters get by with looking from time to time. */
    private void retryLater() {
        if (retry == null) {
            retry = loop.schedule(
                    () -> {
                        retry = null;
                        adjustAll();
                    },
                    settings.commandTimeoutNanos(),
                    TimeUnit.NANOSECONDS);
        }
    }

    private final class LinkOwner implements Link.Owner, PubSubSession.Owner {

        @Override
        public Session newSession(ConnectionSettings found) {
            return new PubSubSession(found, runtime, this);
        }

        @Override
        public void up(Session ready, ServerIdentity identity, SocketAddress address) {
            session = (PubSubSession) ready;
            // What this connection has found counts only while no other has been made: without HELLO it knows less.
            session.isSharded(sharded.orElse(identity.shardsMessages()));
            adjustAll();
        }

        @Override
        public void down(Session lost, Fault fault) {
            session = null;
            for (Topic topic : List.copyOf(topics.values())) {
                topic.disconnected();
                adjust(topic);
            }
        }

        @Override
        public void failed(Fault fault) {
            // The link has said so in the log, and tries again; waiters get by with looking from time to time.
        }

        @Override
        public void rested() {
            if (isWanted()) {
                link.start();
            }
        }

        @Override
        public void message(String channel, String text) {
            Topic topic = topics.get(channel);
            if (topic != null) {
                topic.message(text);
            }
        }

        @Override
        public void ended(String channel) {
            Topic topic = topics.get(channel);
            if (topic != null) {
                topic.ended();
                adjust(topic);
            }
        }

        @Override
        public void moved(Topic topic, RespValue error) {
            topic.answered(true);
            retryLater();
            moved.accept(error);
        }

        @Override
        public void answered(Topic topic, boolean refused) {
            topic.answered(refused);
            if (!refused) {
                adjust(topic);
                return;
            }
            if (!refusalLogged) {
                refusalLogged = true;
                log.warn("{} does not allow to subscribe to {}", settings.node(), Printable.of(topic.channel));
            }
            retryLater();
        }
    }
}
