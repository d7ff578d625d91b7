package io.holdfast.lock.netty.pubsub;

import io.holdfast.lock.netty.connection.Command;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.Link;
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
import java.util.Locale;
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
    private final EventLoop loop;
    private final Link link;
    private final Consumer<RespValue> moved;

    private final Map<String, Topic> topics = new HashMap<>();
    private @Nullable Session session;
    /** Whether the present connection subscribes as is needed where messages of a slot are told at its node and nowhere else. */
    private boolean isSharded;

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
        this.loop = loop;
        this.link = new Link(
                loop,
                loops,
                settings,
                runtime,
                NodeConnection.Use.MESSAGES,
                found -> new Session(found, runtime, this::isNews),
                new LinkOwner());
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
        link.run(() -> add(listener, asking));
        return listener;
    }

    @Override
    public void follow(SocketAddress address, boolean nowSharded) {
        link.run(() -> {
            sharded = Optional.of(nowSharded);
            if (session != null && isSharded != nowSharded) {
                link.leave("messages travel in another way now");
            }
        });
        link.follow(address);
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
        return link.look(0);
    }

    @Override
    public CompletionStage<Void> close() {
        return link.close(() -> {
            topics.clear();
            if (retry != null) {
                retry.cancel(false);
            }
        });
    }

    private void closed(Listener listener) {
        link.run(() -> remove(listener));
    }

    private void add(Listener listener, boolean asking) {
        if (link.isClosed() || listener.isClosed()) {
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
            request(session, topic);
            flushSoon();
        }
        if (topic.isForgettable()) {
            topics.remove(topic.channel);
        }
    }

    /** Each request names one channel, so that each gets exactly one answer, be it a refusal. */
    private void request(Session open, Topic topic) {
        topic.requested();
        boolean wanted = topic.isWanted();
        if (isSharded && topic.isAsking() && wanted) {
            // A RESP2 connection with subscriptions must not say it, and is refused. Right before the request, for one
            // command.
            open.say(
                    new Command(Command.OK, told -> log.trace("{} said {} to ASKING", settings.node(), told)),
                    "ASKING");
        }
        String verb = wanted ? "subscribe" : "unsubscribe";
        open.say(
                new Command(
                        (reply, number) -> isOf(verb, reply) && topic.channel.equals(reply.text(1)),
                        reply -> answered(topic, reply)),
                (isSharded ? "S" : "") + verb.toUpperCase(Locale.ROOT),
                topic.channel);
    }

    private static boolean isOf(String verb, RespValue reply) {
        String what = what(reply);
        return what.equals(verb) || what.equals("s" + verb);
    }

    private static String what(RespValue reply) {
        return reply.size() > 0 ? String.valueOf(reply.text(0)) : "";
    }

    /** The same in RESP2, where everything is an array, and in RESP3, where news are pushes. */
    private boolean isNews(RespValue reply) {
        String what = what(reply);
        return switch (what) {
            case "message", "smessage" -> {
                Topic topic = topics.get(String.valueOf(reply.text(1)));
                if (topic != null) {
                    topic.message(String.valueOf(reply.text(2)));
                }
                yield true;
            }
            case "unsubscribe", "sunsubscribe" -> {
                ended(String.valueOf(reply.text(1)));
                yield true;
            }
            case "subscribe", "ssubscribe" -> {
                log.debug("{} confirmed unasked: {}", settings.node(), Printable.of(reply.text(1)));
                yield false;
            }
            default -> reply.kind() == RespValue.Kind.PUSH;
        };
    }

    /** The server has ended a subscription unasked. */
    private void ended(String channel) {
        Topic topic = topics.get(channel);
        if (topic != null) {
            topic.ended();
            adjust(topic);
        }
    }

    private void answered(Topic topic, RespValue reply) {
        topic.answered(reply.isError());
        if (!reply.isError()) {
            adjust(topic);
            return;
        }
        String channel = Printable.of(topic.channel);
        log.debug("{} refused a request for {}: {}", settings.node(), channel, Printable.of(reply.errorText()));
        retryLater();
        if (ErrorReplies.kind(reply) == Fault.Kind.MOVED) {
            moved.accept(reply);
        } else if (!refusalLogged) {
            refusalLogged = true;
            log.warn("{} does not allow to subscribe to {}", settings.node(), channel);
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
                    session.flush();
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

    private final class LinkOwner implements Link.Owner {

        @Override
        public void up(Session ready, ServerIdentity identity, SocketAddress address) {
            session = ready;
            // What this connection has found counts only while no other has been made: without HELLO it knows less.
            isSharded = sharded.orElse(identity.shardsMessages());
            adjustAll();
        }

        @Override
        public void down(Fault fault) {
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
    }
}
