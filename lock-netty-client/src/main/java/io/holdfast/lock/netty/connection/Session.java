package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespProtocolException;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.netty.resp.RespWriter;
import io.holdfast.lock.netty.tls.TlsFailure;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: a FIFO of commands, each of which checks its own reply (rule 70). Its life is a handshake, then answers,
 * then exactly one end.
 *
 * <p>Servers answer in the order of the commands, so each reply is the oldest command's, or it is news, or the connection ends.
 * Where the answers carry no numbers, a PING with a number ends each round of questions: what counts only if none was lost or
 * doubled goes with the answer to that PING.
 *
 * <p>What is to be written is collected until it is worth a system call. Everything happens on the connection's event loop.
 * The first reason to end a connection is the one that is told.
 */
public class Session implements Heartbeat.Patient {

    private static final Logger log = LoggerFactory.getLogger(Session.class);

    private static final int READ_BYTES = 16 << 10;

    /** Numbers begin below this: they stay whole numbers in Lua, and those of two connections hardly ever meet. */
    private static final long MOST_FIRST_NUMBER = 1L << 32;

    /** What the owner of a connection hears. */
    interface Events {

        void ready(Session session, ServerIdentity identity);

        /** The connection is gone, whether it was ever ready or not. */
        void ended(Session session, Fault fault);
    }

    private enum State {
        SHAKING_HANDS,
        READY,
        ENDING,
        ENDED
    }

    final ConnectionSettings settings;
    final Runtime runtime;
    final RespDecoder decoder;

    /** The commands without an answer that is believed, oldest first. */
    final InFlight inFlight;

    private final Predicate<RespValue> news;
    private final Heartbeat heartbeat;
    private final Notices notices;
    private final FirstBytes firstBytes = new FirstBytes();
    private final boolean forScripts;
    private final Outbox outbox = new Outbox();
    private final ReusedBuffer readBuffer = new ReusedBuffer(READ_BYTES);

    private State state = State.SHAKING_HANDS;
    private @Nullable Handshake handshake;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Fault fault;
    private boolean resp3;
    private boolean cut;

    /** Whether messages of a slot are told at this node and nowhere else. */
    boolean shardsMessages;

    private long expectsSinceNanos;
    private boolean numbersPings = true;

    /**
     * A connection that will not carry scripts.
     *
     * @param news takes what is not the answer to the oldest command, unless that was no news
     */
    public Session(ConnectionSettings settings, Runtime runtime, Predicate<RespValue> news) {
        this(settings, runtime, news, new Notices(settings.node()), false);
    }

    Session(
            ConnectionSettings settings,
            Runtime runtime,
            Predicate<RespValue> news,
            Notices notices,
            boolean forScripts) {
        this.settings = settings;
        this.runtime = runtime;
        this.news = news;
        this.notices = notices;
        this.forScripts = forScripts;
        this.inFlight = new InFlight(runtime.random(MOST_FIRST_NUMBER));
        this.decoder = new RespDecoder(settings.limits());
        this.heartbeat = new Heartbeat(runtime, settings, this);
    }

    /** What hears of no news: the server may push what it likes. */
    public static boolean isPush(RespValue reply) {
        return reply.kind() == RespValue.Kind.PUSH;
    }

    /** The server's address, as faults and log lines name it. */
    public final String node() {
        return settings.node();
    }

    /** Asks, with the next flush. What takes the answer must not believe it before {@link #endRound} has its own. */
    public final void ask(Consumer<RespValue> answered, String... words) {
        say(new Command(Command.ANY, answered), words);
    }

    /** Writes a command, with the next flush. */
    public final void say(Command command, String... words) {
        RespWriter.command(out(), words);
        written();
        add(command, (byte) 0);
    }

    /** Asks for a number back. What takes the answer hears of the right one, or of a refusal. */
    public final void endRound(Consumer<RespValue> answered) {
        writePing(new Command(numbersPings ? Command.NUMBER : (reply, number) -> Command.isBarePong(reply), answered));
    }

    /** The server takes no number: from now on a PONG has to come in its place. Whether that is new. */
    public final boolean numberNoPings() {
        boolean was = numbersPings;
        numbersPings = false;
        return was;
    }

    /** What is unanswered is not to be answered before this time is over. */
    public final void expectsAfter(long nanos) {
        expectsSinceNanos = runtime.nanos() + nanos;
    }

    /** Asks for a sign of life. */
    @Override
    public void ping() {
        writePing(Command.PING);
        flush();
    }

    final void writePing(Command ping) {
        if (numbersPings) {
            say(ping, "PING", Long.toString(inFlight.nextNumber()));
        } else {
            say(ping, "PING");
        }
    }

    /**
     * Says who the client is once more, on the living connection; one AUTH at a time.
     *
     * @param answered must not pass the words of a refusal on: they may quote the password
     */
    void logIn(Login newLogin, Consumer<RespValue> answered) {
        say(new Command(Command.OK, answered), "AUTH", newLogin.user(), newLogin.password());
        flush();
    }

    /** A command's bytes were collected; it takes its place in the stream. */
    final void add(Object command, byte flags) {
        if (!expectsAnswer()) {
            expectsSinceNanos = runtime.nanos();
        }
        inFlight.add(command, flags);
    }

    /** Whether the server owes an answer. */
    @Override
    public boolean expectsAnswer() {
        return !inFlight.isEmpty();
    }

    @Override
    public final long expectsSince() {
        return expectsSinceNanos;
    }

    @Override
    public final void dead(long silenceNanos) {
        abort(broken("no sign of life for " + TimeUnit.NANOSECONDS.toMillis(silenceNanos) + " ms"));
    }

    /**
     * Takes something the server said after the handshake.
     *
     * @return whether it answers something that was asked
     */
    boolean onReply(RespValue reply) {
        Command oldest = inFlight.isEmpty() ? null : (Command) inFlight.get(0);
        boolean isOwn = oldest != null && (reply.isError() || oldest.check().isOwn(reply, inFlight.number(0)));
        if (oldest != null && isOwn) {
            inFlight.remove();
            oldest.answered().accept(reply);
            return true;
        }
        if (!news.test(reply)) {
            outOfTurn(reply);
        }
        return false;
    }

    /** Ends the connection: which command the reply belongs to is unknown, and so is which one the next belongs to. */
    final void outOfTurn(RespValue reply) {
        abort(mixedUp(
                (expectsAnswer() ? "the answer to another request: " : "an answer that nothing asked for: ") + reply));
    }

    final Fault mixedUp(String detail) {
        return new Fault(Kind.PROTOCOL, true, settings.node(), detail);
    }

    /** Whether the next answer has to come with its number, unless it is an error. */
    boolean expectsNumber() {
        return false;
    }

    /** Bytes have arrived, and replies may follow. */
    void onRead() {}

    /** No more bytes have arrived for now. */
    void onReadComplete() {}

    /** The channel takes more again, or takes no more for now. */
    void onWritabilityChanged() {}

    /** Asks whether the server is a primary still, where that matters to this connection. */
    void askRole() {}

    /** The connection is gone; whatever waits for an answer gets none. */
    void onEnd(Fault fault) {}

    /** Ends the connection, for the given reason unless there was one before. */
    public final void abort(Fault reason) {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        fault = reason;
        state = State.ENDING;
        context().close();
    }

    /** Whether it was the other side that ended the connection, after it had been ready. */
    final boolean wasCut() {
        return cut;
    }

    /** Whether the connection speaks RESP3, as opposed to RESP2. */
    public final boolean speaksResp3() {
        return resp3;
    }

    /** Whether more should be written now. */
    final boolean isWritable() {
        return state == State.READY && context().channel().isWritable();
    }

    /** The buffer that takes whole commands; call {@link #written} after each. */
    final ByteBuf out() {
        return outbox.out();
    }

    final void written() {
        outbox.written(context());
    }

    /** Hands what was collected to the operating system. */
    public final void flush() {
        outbox.passOn(context());
        context().flush();
    }

    /**
     * Prepares this session for a channel.
     *
     * @param firstLogin what the handshake says to AUTH; null for nothing
     */
    final ChannelInboundHandlerAdapter handler(EarlierConnections earlier, @Nullable Login firstLogin, Events events) {
        return new Handler(earlier, firstLogin, events);
    }

    /** Where the channel is to put what arrives. */
    final RecvByteBufAllocator reading() {
        return readBuffer.forReading();
    }

    /** Whether it is an answer. */
    private boolean dispatch(RespValue reply) {
        if (handshake == null) {
            return onReply(reply);
        }
        if (reply.kind() != RespValue.Kind.PUSH) {
            handshake.onReply(reply);
        }
        return true;
    }

    private void showLife(boolean answered) {
        if (answered) {
            heartbeat.answered();
        } else if (forScripts) {
            heartbeat.progressed(decoder.answerBytes());
        }
    }

    private void protocolFault(String detail) {
        if (state != State.SHAKING_HANDS) {
            abort(new Fault(Kind.PROTOCOL, true, settings.node(), detail));
        } else if (!firstBytes.mayTellMore()) {
            String protocol = firstBytes.protocol();
            String named = protocol == null ? detail : "the peer speaks " + protocol + " (expected: Redis or Valkey)";
            abort(new Fault(Kind.NOT_REDIS, false, settings.node(), named));
        }
    }

    private Fault broken(String detail) {
        if (state != State.SHAKING_HANDS) {
            return new Fault(Kind.DISCONNECTED, true, settings.node(), detail);
        }
        String silence = firstBytes.silence(settings.tls());
        return new Fault(Kind.UNREACHABLE, false, settings.node(), detail + " during the handshake" + silence);
    }

    /** Why a secured connection broke. A server that has looked at the client's certificate says so only now. */
    private Fault unsecured(String refusal) {
        return state == State.SHAKING_HANDS ? new Fault(Kind.TLS, false, settings.node(), refusal) : broken(refusal);
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "session has no channel yet");
    }

    private final class Handler extends ChannelInboundHandlerAdapter implements Handshake.Line {

        private final EarlierConnections earlier;
        private final @Nullable Login login;
        private final Events events;

        Handler(EarlierConnections earlier, @Nullable Login login, Events events) {
            this.earlier = earlier;
            this.login = login;
            this.events = events;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
            if (ctx.channel().isActive()) {
                greet(ctx);
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            greet(ctx);
        }

        /** Begins the handshake; a channel that was active before it had this handler may still say so. */
        private void greet(ChannelHandlerContext ctx) {
            if (state != State.SHAKING_HANDS || handshake != null) {
                return;
            }
            handshake = new Handshake(
                    settings,
                    forScripts,
                    login,
                    earlier,
                    ServerIdentity.placeOf(ctx.channel().localAddress()),
                    notices,
                    this);
            handshake.start();
            flush();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            try {
                onRead();
                boolean answered = false;
                if (state == State.SHAKING_HANDS) {
                    firstBytes.hear(in);
                }
                while (state == State.SHAKING_HANDS || state == State.READY) {
                    RespValue reply = decoder.decode(in, handshake == null && expectsNumber());
                    if (reply == null) {
                        break;
                    }
                    answered |= dispatch(reply);
                }
                showLife(answered);
            } catch (RespProtocolException | UnexpectedReplyException violation) {
                protocolFault(String.valueOf(violation.getMessage()));
            } finally {
                in.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            onReadComplete();
            if (state == State.SHAKING_HANDS || state == State.READY) {
                flush();
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            onWritabilityChanged();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            String refusal = settings.tls() == null ? null : TlsFailure.words(cause, settings.node());
            if (refusal != null) {
                abort(unsecured(refusal));
            } else if (cause instanceof java.io.IOException) {
                cut |= state == State.READY;
                abort(broken(Reasons.words(cause)));
            } else if (settings.tls() != null && cause.getCause() instanceof java.io.IOException underneath) {
                abort(broken(Reasons.words(underneath)));
            } else {
                log.error("Connection to {} failed inside the client", settings.node(), cause);
                abort(broken("a defect in the client: " + cause.getClass().getName()));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            end();
        }

        @Override
        public void send(String... command) {
            RespWriter.command(out(), command);
            written();
        }

        @Override
        public void accepted(ServerIdentity identity) {
            resp3 = handshake != null && handshake.isResp3();
            shardsMessages = identity.shardsMessages();
            handshake = null;
            state = State.READY;
            heartbeat.start(context().channel().eventLoop());
            events.ready(Session.this, identity);
        }

        @Override
        public void refused(Fault reason) {
            abort(reason);
        }

        private void end() {
            if (state == State.ENDED) {
                return;
            }
            cut |= fault == null && state == State.READY;
            Fault reason = fault == null ? broken("the server closed the connection") : fault;
            state = State.ENDED;
            heartbeat.stop();
            outbox.release();
            readBuffer.release();
            onEnd(reason);
            events.ended(Session.this, reason);
        }
    }
}
