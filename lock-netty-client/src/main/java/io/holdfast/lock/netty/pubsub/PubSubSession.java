package io.holdfast.lock.netty.pubsub;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that receives messages: tells messages from answers, and gives each answer to its own request.
 *
 * <p>Each request names one channel, so that each gets exactly one answer, be it a refusal, and answers come in the
 * order of the requests. The same in RESP2, where everything is an array, and in RESP3, where news are pushes.
 */
final class PubSubSession extends Session {

    /** What the endpoint hears. */
    interface Owner {

        void message(String channel, String text);

        /** The server has ended a subscription unasked. */
        void ended(String channel);

        /** A request was answered, and the topic knows. */
        void answered(Topic topic, boolean refused);

        /** A request was refused, since another node is the primary of the channel's slot. */
        void moved(Topic topic, RespValue error);
    }

    private static final Logger log = LoggerFactory.getLogger(PubSubSession.class);

    private static final long MOST_FIRST_NUMBER = 1L << 32;

    /** A request without an answer yet; no topic means PING or ASKING, or AUTH if its outcome is awaited. */
    private record Request(@Nullable Topic topic, boolean subscribe, @Nullable LoginOutcome login, boolean asking) {

        Request(@Nullable Topic topic, boolean subscribe, @Nullable LoginOutcome login) {
            this(topic, subscribe, login, false);
        }
    }

    /** What is said before a subscription at a node that its slot is on its way to. */
    private static final Request ASKING = new Request(null, false, null, true);

    private final Owner owner;
    /** Whether messages of a slot are told at this node and nowhere else. */
    private boolean sharded;

    private final ArrayDeque<Request> unanswered = new ArrayDeque<>();
    private long expectsSinceNanos;

    /** What the latest PING was sent with, and is answered with (rule 70); one is in flight at a time. */
    private long pingNumber;

    PubSubSession(ConnectionSettings settings, Runtime runtime, Owner owner) {
        super(settings, runtime);
        this.owner = owner;
        this.pingNumber = runtime.random(MOST_FIRST_NUMBER);
    }

    /** Says, before the first request, whether messages of a slot are told at this node and nowhere else. */
    void isSharded(boolean now) {
        sharded = now;
    }

    /** Tells the server what is wanted of a channel; {@link #send} sends it. */
    void request(Topic topic) {
        topic.requested();
        if (sharded && topic.isAsking() && topic.isWanted()) {
            // A RESP2 connection with subscriptions must not say it, and is refused. Right before the request, for one
            // command.
            add(ASKING);
            write("ASKING");
        }
        add(new Request(topic, topic.isWanted(), null));
        write((sharded ? "S" : "") + (topic.isWanted() ? "SUBSCRIBE" : "UNSUBSCRIBE"), topic.channel);
    }

    void send() {
        flush();
    }

    boolean isSharded() {
        return sharded;
    }

    /** In RESP2 a connection with subscriptions must not say AUTH. */
    @Override
    public boolean logIn(Login newLogin, LoginOutcome outcome) {
        if (!speaksResp3()) {
            return false;
        }
        add(new Request(null, false, outcome));
        write("AUTH", newLogin.user(), newLogin.password());
        flush();
        return true;
    }

    @Override
    protected boolean expectsAnswer() {
        return !unanswered.isEmpty();
    }

    @Override
    protected long expectsSince() {
        return expectsSinceNanos;
    }

    @Override
    protected void ping() {
        add(new Request(null, false, null));
        write("PING", Long.toString(++pingNumber));
        flush();
    }

    @Override
    protected boolean onReply(RespValue reply) {
        String what = reply.size() > 0 ? String.valueOf(reply.text(0)) : "";
        return switch (what) {
            case "message", "smessage" -> {
                owner.message(String.valueOf(reply.text(1)), String.valueOf(reply.text(2)));
                yield false;
            }
            case "subscribe", "ssubscribe" -> onConfirmation(String.valueOf(reply.text(1)), true);
            case "unsubscribe", "sunsubscribe" -> onConfirmation(String.valueOf(reply.text(1)), false);
            default -> reply.kind() != RespValue.Kind.PUSH && onPongOrError(reply);
        };
    }

    @Override
    protected void onEnd(Fault fault) {
        unanswered.clear();
    }

    /** Whether it is the answer to a request, as opposed to news. */
    private boolean onConfirmation(String channel, boolean subscribed) {
        Request request = unanswered.peek();
        Topic topic = request == null ? null : request.topic;
        if (request != null && topic != null && request.subscribe == subscribed && topic.channel.equals(channel)) {
            unanswered.remove();
            owner.answered(topic, false);
            return true;
        }
        if (!subscribed) {
            owner.ended(channel);
        } else {
            outOfTurn("a confirmation that nothing asked for");
        }
        return false;
    }

    private boolean onPongOrError(RespValue reply) {
        Request request = unanswered.poll();
        if (request == null) {
            outOfTurn("an answer that nothing asked for: " + reply);
            return false;
        }
        Topic topic = request.topic;
        LoginOutcome login = request.login;
        if (login != null) {
            onLogin(login, reply);
        } else if (request.asking) {
            log.trace("{} was told that a slot is on its way to it", settings.node());
        } else if (topic == null) {
            if (!reply.isError() && !isPong(reply) && !"PONG".equals(reply.text())) {
                outOfTurn("the answer to another request: " + reply);
            }
            // A refusal is a sign of life too, and so is the PONG of a proxy that answers for itself.
        } else if (reply.isError()) {
            log.debug(
                    "{} refused a request for {}: {}",
                    settings.node(),
                    Printable.of(topic.channel),
                    Printable.of(reply.errorText()));
            if (ErrorReplies.kind(reply) == Fault.Kind.MOVED) {
                owner.moved(topic, reply);
            } else {
                owner.answered(topic, true);
            }
        } else {
            outOfTurn("an answer that is not a confirmation: " + reply);
        }
        return true;
    }

    /** The words of a refusal are not passed on: they may quote the password. */
    private void onLogin(LoginOutcome login, RespValue reply) {
        if (reply.isError()) {
            login.loginRefused();
        } else if ("OK".equals(reply.text())) {
            login.loginTaken();
        } else {
            outOfTurn("the answer to another request: " + reply);
        }
    }

    /** In RESP2 a connection with subscriptions is answered {@code pong, <number>}, any other with the number alone. */
    private boolean isPong(RespValue reply) {
        String number = Long.toString(pingNumber);
        return reply.isList() ? reply.size() == 2 && number.equals(reply.text(1)) : number.equals(reply.text());
    }

    private void outOfTurn(String detail) {
        abort(new Fault(Kind.PROTOCOL, true, settings.node(), detail));
    }

    private void add(Request request) {
        if (unanswered.isEmpty()) {
            expectsSinceNanos = runtime.nanos();
        }
        unanswered.add(request);
    }
}
