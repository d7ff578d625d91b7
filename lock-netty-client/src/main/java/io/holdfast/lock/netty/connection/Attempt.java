package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.tls.ClientTls;
import io.holdfast.lock.netty.tls.TlsFailure;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect, and the connection that comes of it.
 *
 * <p>Its time is for everything: who we are, of which a provider of the user's has its share, looking for the server, the
 * race of its addresses, and the handshakes, that of TLS among them. While other addresses are left, a handshake has its
 * share of the time and no more; when that is over, or when the server will not do now, the others race on. An answer that
 * will be the same everywhere (a wrong password) ends the attempt.
 *
 * <p>All methods are called on the event loop.
 */
final class Attempt implements Session.Events, LinkLogins.Chooser, Whereabouts.Asker, AddressRace.Course {

    /** Whose attempt it is. Hears of its end once, and of nothing after that. */
    interface Owner {

        void ready(Session session, ServerIdentity identity, SocketAddress address);

        /** There is no connection, or none any more. */
        void over(Attempt attempt, Fault fault);
    }

    /** The provider of logins has this part of an attempt's time, if there is a login from before. */
    private static final int LOGIN_PART = 3;

    /** A look at the files of TLS has this part of an attempt's time; then the connection has what they held before. */
    private static final int LOOK_PART = 3;

    private static final double NANOS_OF_MILLI = 1e6;

    private static final String PERHAPS_NO_TLS = "; perhaps the server speaks no TLS on this port";

    private final EventLoop loop;
    private final IoLoops loops;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final long budgetNanos;
    private final long endNanos;
    private final LinkLogins logins;
    private final EarlierConnections earlier;
    private final Function<ConnectionSettings, Session> sessions;
    private final Owner owner;

    /** Where it connects: the server that was found, where the address leads to one of several. */
    private ConnectionSettings found;

    private @Nullable SocketAddress knownAddress;
    private boolean anew;
    private @Nullable ScheduledFuture<?> timeout;
    private @Nullable ScheduledFuture<?> shareTimeout;
    private Whereabouts.@Nullable Search search;
    private @Nullable AddressRace race;
    /** The address that won the race, and its session; null while there is no winner. */
    private @Nullable SocketAddress address;

    private @Nullable Session session;
    /** The channel of the winner while its handshake of TLS is under way. */
    private @Nullable Channel securing;
    /** What has become of the addresses that are out: a server's answer, if there was one, rather than silence. */
    private @Nullable Fault obstacle;

    private boolean failed;
    private boolean over;
    private @Nullable Session readySession;
    private long readySinceNanos;

    /**
     * @param earlier who we were on connections before, as far as these may still do harm
     * @param sessions makes one for a server that has been found
     */
    Attempt(
            EventLoop loop,
            IoLoops loops,
            ConnectionSettings settings,
            Runtime runtime,
            long budgetNanos,
            LinkLogins logins,
            EarlierConnections earlier,
            Function<ConnectionSettings, Session> sessions,
            Owner owner) {
        this.loop = loop;
        this.loops = loops;
        this.settings = settings;
        this.found = settings;
        this.runtime = runtime;
        this.budgetNanos = budgetNanos;
        this.endNanos = runtime.nanos() + budgetNanos;
        this.logins = logins;
        this.earlier = earlier;
        this.sessions = sessions;
        this.owner = owner;
    }

    /**
     * Asks who we are, and begins to connect.
     *
     * @param address where to connect; null: look for the server
     * @param afresh whether what earlier searches have found is in doubt
     */
    void start(@Nullable SocketAddress address, boolean afresh) {
        knownAddress = address;
        anew = afresh;
        timeout = loop.schedule(this::timeIsOver, budgetNanos, TimeUnit.NANOSECONDS);
        logins.choose(this, budgetNanos / LOGIN_PART);
    }

    @Override
    public void chosen(@Nullable Login login) {
        if (over) {
            return;
        }
        ClientTls tls = settings.tls();
        if (tls == null) {
            look();
        } else {
            tls.look(loop, budgetNanos / LOOK_PART, this::look);
        }
    }

    @Override
    public void failed(Fault fault) {
        fail(fault);
    }

    private void look() {
        if (over) {
            return;
        }
        if (knownAddress == null) {
            search = settings.whereabouts().ask(loop, anew, this);
        } else {
            found(List.of(knownAddress));
        }
    }

    /** What is left of the attempt's time. */
    long leftNanos() {
        return endNanos - runtime.nanos();
    }

    /** The session that was ready; null if none was. */
    @Nullable
    Session readySession() {
        return readySession;
    }

    long readyForNanos() {
        return runtime.nanos() - readySinceNanos;
    }

    /** Whether it knows where the server is, or was. */
    boolean hasFound() {
        return race != null || knownAddress != null;
    }

    boolean isAt(SocketAddress place) {
        return place.equals(address);
    }

    /** Ends this attempt or connection. */
    void fail(Fault fault) {
        if (over) {
            return;
        }
        failed = true;
        if (search != null) {
            search.cancel();
        }
        if (race != null) {
            race.stop();
        }
        if (session == null) {
            stopSecuring();
            end(fault);
        } else {
            session.abort(fault);
        }
    }

    @Override
    public void found(List<? extends SocketAddress> addresses) {
        if (!over) {
            found = settings.at(addresses.get(0));
            race = new AddressRace(loop, addresses, endNanos - runtime.nanos(), this);
            race.run();
        }
    }

    @Override
    public void unknown(Kind kind, String reason) {
        fail(new Fault(kind, false, settings.node(), reason));
    }

    @Override
    public ChannelFuture connect(SocketAddress candidate) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the attempt has its own
                .option(
                        ChannelOption.ALLOCATOR,
                        settings.tls() == null ? ReusedBuffer.allocator() : ByteBufAllocator.DEFAULT)
                .disableResolver()
                .handler(new Candidate());
        return loops.connect(bootstrap, candidate);
    }

    @Override
    public void won(Channel channel, SocketAddress winner) {
        address = winner;
        int others = race == null ? 0 : race.left();
        if (others > 0) {
            long shareNanos = (endNanos - runtime.nanos()) / (others + 1);
            shareTimeout = loop.schedule(() -> shareIsOver(shareNanos), shareNanos, TimeUnit.NANOSECONDS);
        }
        found = settings.at(winner);
        ClientTls tls = found.tls();
        if (tls == null) {
            Session newSession = sessions.apply(found);
            channel.config().setRecvByteBufAllocator(newSession.reading());
            greet(channel, newSession);
        } else {
            secure(channel, tls);
        }
    }

    private void greet(Channel channel, Session newSession) {
        session = newSession;
        channel.pipeline().addLast(newSession.handler(earlier, logins.said(), this));
    }

    private void secure(Channel channel, ClientTls tls) {
        securing = channel;
        if (found.server().target() instanceof Target.Host host) {
            String name = tls.name(host.host());
            tls.secure(channel, host.host(), host.port())
                    .addListener((Future<Channel> result) -> secured(channel, name, result.cause()));
        } else {
            notSecured(unreachable("a Unix socket has no TLS"));
        }
    }

    /** @param failure null if the channel is secured */
    private void secured(Channel channel, String name, @Nullable Throwable failure) {
        if (securing != channel) {
            // It was given up meanwhile.
            channel.close();
        } else if (failure == null) {
            securing = null;
            greet(channel, sessions.apply(found));
        } else {
            String refusal = TlsFailure.ofHandshake(failure, name);
            notSecured(
                    refusal == null
                            ? unreachable(cut(failure) + " during the handshake of TLS" + PERHAPS_NO_TLS)
                            : new Fault(Kind.TLS, false, found.node(), refusal));
        }
    }

    private static String cut(Throwable failure) {
        Throwable obstacle = TlsFailure.obstacle(failure);
        return obstacle instanceof ClosedChannelException
                ? "the server closed the connection"
                : Reasons.words(obstacle);
    }

    private void notSecured(Fault fault) {
        stopSecuring();
        cancelShareTimeout();
        isOut(fault);
        address = null;
        raceOn();
    }

    private void stopSecuring() {
        Channel unfinished = securing;
        if (unfinished != null) {
            securing = null;
            unfinished.close();
        }
    }

    @Override
    public void failed(@Nullable Throwable cause) {
        isOut(unreachable(Reasons.words(cause)));
    }

    @Override
    public void lost() {
        fail(obstacle == null ? unreachable("the server has no address") : obstacle);
    }

    @Override
    public void ready(Session newSession, ServerIdentity identity) {
        cancelTimeouts();
        readySession = newSession;
        readySinceNanos = runtime.nanos();
        owner.ready(newSession, identity, Objects.requireNonNull(address, "ready before there was a winner"));
    }

    @Override
    public void ended(Session endedSession, Fault fault) {
        session = null;
        cancelShareTimeout();
        if (failed || readySession != null || isTheSameEverywhere(fault.kind())) {
            end(fault);
            return;
        }
        isOut(fault);
        address = null;
        raceOn();
    }

    /** Certificates differ from server to server; a wrong password is wrong at each. */
    private static boolean isTheSameEverywhere(Kind kind) {
        return !kind.isTransient() && kind != Kind.TLS;
    }

    private void raceOn() {
        if (race != null && race.left() > 0) {
            race.run();
        } else {
            lost();
        }
    }

    private void isOut(Fault fault) {
        if (obstacle == null || obstacle.kind() == Kind.UNREACHABLE) {
            obstacle = fault;
        }
    }

    private void timeIsOver() {
        String silence = logins.isChoosing()
                ? within("no credentials", budgetNanos)
                : session == null && securing == null ? within("no connection", budgetNanos) : unanswered(budgetNanos);
        String met = search == null || race != null ? "" : search.obstacle();
        if (obstacle == null) {
            fail(unreachable(met.isEmpty() ? silence : silence + ": " + met));
        } else if (obstacle.kind() == Kind.UNREACHABLE) {
            fail(unreachable(silence + ", " + obstacle.detail()));
        } else {
            fail(obstacle);
        }
    }

    private void shareIsOver(long shareNanos) {
        Fault silence = unreachable(unanswered(shareNanos));
        if (session != null) {
            session.abort(silence);
        } else if (securing != null) {
            notSecured(silence);
        }
    }

    /** A Redis server without TLS waits for the end of the line in what is none of its protocol. */
    private String unanswered(long nanos) {
        return securing == null
                ? within("no answer to the handshake", nanos)
                : within("no answer to the handshake of TLS", nanos) + PERHAPS_NO_TLS;
    }

    private void end(Fault fault) {
        if (!over) {
            over = true;
            cancelTimeouts();
            owner.over(this, logins.ended(fault));
        }
    }

    private void cancelTimeouts() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
        cancelShareTimeout();
    }

    private void cancelShareTimeout() {
        if (shareTimeout != null) {
            shareTimeout.cancel(false);
            shareTimeout = null;
        }
    }

    private Fault unreachable(String detail) {
        return new Fault(Kind.UNREACHABLE, false, found.node(), detail);
    }

    /** The time may be what is left of one that was given in whole milliseconds. */
    private static String within(String progress, long nanos) {
        return progress + " within " + Math.round(nanos / NANOS_OF_MILLI) + " ms";
    }

    /** What hears of a channel until it has won: a connection that is not made fails by itself, and is no warning. */
    private static final class Candidate extends ChannelInboundHandlerAdapter {

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (ctx.pipeline().last() != this) {
                ctx.fireExceptionCaught(cause);
            }
        }
    }
}
