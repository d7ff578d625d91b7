package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespProtocolException;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.netty.resp.RespWriter;
import io.holdfast.lock.netty.tls.ClientTls;
import io.holdfast.lock.netty.tls.TlsFailure;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one connection: handshake, then answers, then exactly one end.
 *
 * <p>What commands and subscriptions have in common lives here: decoding, the heartbeat, and collecting what is to be
 * written until it is worth a system call. Everything happens on the connection's event loop. The first reason to end
 * a connection is the one that is told.
 */
public abstract class Session {

    private static final Logger log = LoggerFactory.getLogger(Session.class);

    /** What is collected goes to the channel when it is this large; there it counts towards the write limits. */
    private static final int BATCH_BYTES = 16 << 10;

    /** A buffer of this size takes many short commands; it grows where one is longer. */
    private static final int SEND_BYTES = 4 << 10;

    private static final int READ_BYTES = 16 << 10;

    /** What the owner of a connection hears. */
    interface Events {

        void ready(Session session, ServerIdentity identity);

        /** The connection is gone, whether it was ever ready or not. */
        void ended(Session session, Fault fault);
    }

    /** What becomes of {@link #logIn}; nothing, if the connection ends before. */
    public interface LoginOutcome {

        void loginTaken();

        void loginRefused();
    }

    private enum State {
        SHAKING_HANDS,
        READY,
        ENDING,
        ENDED
    }

    protected final ConnectionSettings settings;
    protected final Runtime runtime;

    private final RespDecoder decoder;
    private final Heartbeat heartbeat;
    private final Notices notices;
    private final FirstBytes firstBytes = new FirstBytes();
    private final boolean forScripts;
    private final ReusedBuffer sendBuffer = new ReusedBuffer(SEND_BYTES);
    private final ReusedBuffer readBuffer = new ReusedBuffer(READ_BYTES);

    private State state = State.SHAKING_HANDS;
    private @Nullable Events events;
    private @Nullable EarlierConnections earlier;
    private @Nullable Login login;
    private @Nullable Handshake handshake;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf batch;
    private @Nullable Fault fault;
    private boolean resp3;
    private boolean shardsMessages;
    private boolean cut;

    /** A connection that will not carry scripts. */
    protected Session(ConnectionSettings settings, Runtime runtime) {
        this(settings, runtime, new Notices(settings.node()), false);
    }

    Session(ConnectionSettings settings, Runtime runtime, Notices notices, boolean forScripts) {
        this.settings = settings;
        this.runtime = runtime;
        this.notices = notices;
        this.forScripts = forScripts;
        this.decoder = new RespDecoder(settings.limits());
        this.heartbeat = new Heartbeat(runtime, settings, new Pulse());
    }

    /**
     * Takes something the server said after the handshake.
     *
     * @return whether it answers something that was asked
     */
    protected abstract boolean onReply(RespValue reply);

    /** Whether the next answer has to come with its number, unless it is an error. */
    protected boolean expectsNumber() {
        return false;
    }

    /** The number that the answer just read came with, or {@link RespDecoder#NO_NUMBER}. */
    protected final long answerNumber() {
        return decoder.number();
    }

    /** How many bytes of the answer just read were left out, since they were over a limit. */
    protected final long leftOutBytes() {
        return decoder.leftOutBytes();
    }

    /** Bytes have arrived, and replies may follow. */
    protected void onRead() {}

    /** No more bytes have arrived for now. */
    protected void onReadComplete() {}

    /** The channel takes more again, or takes no more for now. */
    protected void onWritabilityChanged() {}

    /** Whether the server owes an answer. */
    protected abstract boolean expectsAnswer();

    /** Since when the server owes an answer. */
    protected abstract long expectsSince();

    /** Asks for a sign of life. */
    protected abstract void ping();

    /**
     * Says who the client is once more, on the living connection; one AUTH at a time.
     *
     * @return false where this connection can't say it
     */
    public abstract boolean logIn(Login newLogin, LoginOutcome outcome);

    /** Asks whether the server is a primary still, where that matters to this connection. */
    void askRole() {}

    /** The connection is gone; whatever waits for an answer gets none. */
    protected abstract void onEnd(Fault fault);

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
    protected final boolean speaksResp3() {
        return resp3;
    }

    /** Whether messages of a slot are told at this node and nowhere else. */
    final boolean shardsMessages() {
        return shardsMessages;
    }

    /** Whether more should be written now. */
    protected final boolean isWritable() {
        return state == State.READY && context().channel().isWritable();
    }

    /** The buffer that collects what is to be written; call {@link #written} after each whole command. */
    protected final ByteBuf out() {
        if (batch == null) {
            batch = sendBuffer.take();
        }
        return batch;
    }

    protected final void written() {
        if (batch != null && batch.readableBytes() >= BATCH_BYTES) {
            passBatchOn();
        }
    }

    /** Collects a command. */
    protected final void write(String... command) {
        RespWriter.command(out(), command);
        written();
    }

    /** Hands what was collected to the operating system. */
    protected final void flush() {
        passBatchOn();
        context().flush();
    }

    /**
     * Prepares this session for a channel.
     *
     * @param firstLogin what the handshake says to AUTH; null for nothing
     */
    final ChannelInboundHandlerAdapter handler(
            EarlierConnections earlierConnections, @Nullable Login firstLogin, Events listener) {
        earlier = earlierConnections;
        login = firstLogin;
        events = listener;
        return new Handler();
    }

    /** Where the channel is to put what arrives. */
    final RecvByteBufAllocator reading() {
        return readBuffer.forReading();
    }

    private void passBatchOn() {
        ByteBuf collected = batch;
        if (collected != null) {
            batch = null;
            ChannelHandlerContext channel = context();
            channel.write(collected, channel.voidPromise());
        }
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
        String silence = firstBytes.isEmpty() ? ", without a word" + guess() : "";
        return new Fault(Kind.UNREACHABLE, false, settings.node(), detail + " during the handshake" + silence);
    }

    /** What a peer may miss that hangs up without a word. */
    private String guess() {
        ClientTls tls = settings.tls();
        if (tls == null) {
            return "; perhaps the peer expects TLS, or is a proxy that does not know HELLO";
        }
        return tls.showsCertificate() ? "" : "; perhaps the peer wants a certificate of the client";
    }

    /** Why a secured connection broke. A server that has looked at the client's certificate says so only now. */
    private Fault unsecured(String refusal) {
        return state == State.SHAKING_HANDS ? new Fault(Kind.TLS, false, settings.node(), refusal) : broken(refusal);
    }

    private void end() {
        if (state == State.ENDED) {
            return;
        }
        cut |= fault == null && state == State.READY;
        Fault reason = fault == null ? broken("the server closed the connection") : fault;
        state = State.ENDED;
        heartbeat.stop();
        if (batch != null) {
            batch.release();
            batch = null;
        }
        sendBuffer.release();
        readBuffer.release();
        onEnd(reason);
        events().ended(this, reason);
    }

    private Events events() {
        return Objects.requireNonNull(events, "session has no channel yet");
    }

    private EarlierConnections earlier() {
        return Objects.requireNonNull(earlier, "session has no channel yet");
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "session has no channel yet");
    }

    private final class Handler extends ChannelInboundHandlerAdapter {

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
                    settings, forScripts, login, earlier(), address(ctx.channel()), notices, new Greeting());
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

        private String address(Channel channel) {
            return channel.localAddress() instanceof InetSocketAddress local && local.getAddress() != null
                    ? local.getAddress().getHostAddress() + ":" + local.getPort()
                    : "";
        }
    }

    private final class Greeting implements Handshake.Line {

        @Override
        public void send(String... command) {
            write(command);
        }

        @Override
        public void accepted(ServerIdentity identity) {
            resp3 = handshake != null && handshake.isResp3();
            shardsMessages = identity.shardsMessages();
            handshake = null;
            state = State.READY;
            heartbeat.start(context().channel().eventLoop());
            events().ready(Session.this, identity);
        }

        @Override
        public void refused(Fault reason) {
            abort(reason);
        }
    }

    private final class Pulse implements Heartbeat.Patient {

        @Override
        public boolean expectsAnswer() {
            return Session.this.expectsAnswer();
        }

        @Override
        public long expectsSince() {
            return Session.this.expectsSince();
        }

        @Override
        public void ping() {
            Session.this.ping();
        }

        @Override
        public void dead(long silenceNanos) {
            abort(broken("no sign of life for " + TimeUnit.NANOSECONDS.toMillis(silenceNanos) + " ms"));
        }
    }
}
