package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to one server: connects, comes back after a loss, and gives up only when it is closed.
 *
 * <p>A server that ends a connection after a long life, or whose credentials may be over, is expected to: the next attempt
 * is made at once. A login that a server refuses is worth another attempt at once if there is another one, and so is one
 * that comes while the link waits for the next attempt (ADR 34).
 *
 * <p>After a failed {@link Attempt} the next one waits, longer each time; where the server's answer shows that trying soon
 * can't help (a wrong password in the address, not a Redis server), it waits the longest delay at once. Each asks anew
 * where the server is, unless the link follows another one: an address may stand for several servers, and messages come
 * only from the one to which the commands go.
 *
 * <p>All methods but {@link #look} are called on the event loop.
 */
public final class Link {

    /** Whose link it is. */
    public interface Owner {

        /** A session for the next attempt. */
        Session newSession(ConnectionSettings found);

        /** The connection is ready. */
        void up(Session session, ServerIdentity identity, SocketAddress address);

        /** The connection was lost. */
        void down(Session session, Fault fault);

        /** An attempt to connect has failed. */
        void failed(Fault fault);

        /** The connection was ended to rest, and is gone: {@link #start} makes another one. */
        default void rested() {}
    }

    private final EventLoop loop;
    private final IoLoops loops;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final Owner owner;
    private final Backoff backoff;
    private final LinkLog log;
    private final LinkReport report;
    private final LoginKeeper loginKeeper;
    private final Lookout lookout;
    private final boolean forScripts;

    private @Nullable Attempt current;
    private @Nullable ScheduledFuture<?> retry;
    /** Open while a retry waits for which another login would be reason enough. */
    private Logins.Request otherLogin = Logins.Request.ANSWERED;
    /** Whether the latest pause was cut short by another login. A server may refuse each, so the next one is not. */
    private boolean hurried;

    /** Written on the event loop; any thread may read it. */
    private volatile boolean started;

    private boolean closed;

    /** Whether a connection is ready; the same. */
    private volatile boolean up;

    /** Where the link that this one follows is connected; null if there is none, or not yet. */
    private @Nullable SocketAddress followed;

    private boolean moving;

    /** Whether the connection is being ended until it is wanted again. */
    private boolean resting;

    /** The id of the server process that the connection leads to; empty if it is not known, and while there is none. */
    private String runId = "";

    /** Whether the server has moved, and no connection has been cut since: a cut belongs to that (ADR 36). */
    private boolean justMoved;

    /** Null unless something was left of it when it was closed. */
    private @Nullable Runnable afterClose;

    private final EarlierConnections earlier = new EarlierConnections();

    /** Whether the last attempt failed, or the last server was no primary: what is remembered may be why. */
    private boolean inDoubt;

    /** Whether the connection is being left since its address leads elsewhere now. */
    private boolean staleAddress;

    /**
     * @param use what the connection is for
     */
    public Link(
            EventLoop loop,
            IoLoops loops,
            ConnectionSettings settings,
            Runtime runtime,
            NodeConnection.Use use,
            boolean forScripts,
            Owner owner) {
        this.loop = loop;
        this.loops = loops;
        this.settings = settings;
        this.runtime = runtime;
        this.owner = owner;
        this.forScripts = forScripts;
        this.backoff = new Backoff(runtime, settings.backoffMinNanos(), settings.backoffMaxNanos());
        this.log = new LinkLog(runtime, settings.node(), use);
        this.report = new LinkReport(settings, use);
        this.lookout = new Lookout(loop, settings.whereabouts(), settings.roleNanos(), this::leaveForAnother);
        this.loginKeeper = new LoginKeeper(loop, settings, runtime, this::connectAnew);
        settings.whereabouts().follow(new ServerFollower());
    }

    /**
     * How the connection stands; nothing while it has never been wanted. Any thread.
     *
     * @param queued how many calls wait to be sent
     */
    public Stream<NodeConnection> look(NodeConnection.Use use, int queued) {
        return started ? Stream.of(new NodeConnection(settings.node(), use, up, queued)) : Stream.empty();
    }

    /** Begins to connect, unless that has happened before. */
    public void start() {
        if (!started && !closed) {
            started = true;
            connect(forScripts ? settings.connectTimeoutNanos() : settings.reconnectTimeoutNanos());
        }
    }

    /** Connects to this address from now on, and leaves any other. */
    public void follow(SocketAddress address) {
        if (closed || address.equals(followed)) {
            return;
        }
        followed = address;
        if (!hurry() && current != null && !current.isAt(address)) {
            leave("the server is at another address of its host now");
        }
    }

    /** Ends the connection for another one, at once and without a word in the log: nothing is wrong with the server. */
    public void leave(String why) {
        if (current != null) {
            moving = true;
            current.fail(new Fault(Kind.DISCONNECTED, true, settings.node(), why));
        }
    }

    /** Ends the pause before the next attempt, if there is one. Whether it did. */
    public boolean hurry() {
        if (retry == null || closed) {
            return false;
        }
        retry.cancel(false);
        reconnect();
        return true;
    }

    /** Ends the connection, or the attempts to make one, until {@link #start}. Earlier connections are remembered (rule 5). */
    public void rest(Fault reason) {
        if (!started || closed || resting) {
            return;
        }
        backoff.startAnew();
        if (current != null) {
            resting = true;
            current.fail(reason);
        } else if (retry != null) {
            retry.cancel(false);
            retry = null;
            otherLogin.cancel();
            started = false;
        }
    }

    /** Whether the connection is being ended to rest. */
    boolean isResting() {
        return resting;
    }

    /** Ends the connection for one to the server that is in its place now. */
    private void leaveForAnother() {
        leave("another server is where this one was looked for");
    }

    /** Ends the connection for one with another login. */
    private void connectAnew() {
        leave("there are other credentials now");
    }

    /** Ends the connection and all attempts; runs {@code whenGone} when nothing is left of them. */
    public void close(Runnable whenGone) {
        closed = true;
        if (retry != null) {
            retry.cancel(false);
        }
        otherLogin.cancel();
        if (current == null) {
            whenGone.run();
        } else {
            afterClose = whenGone;
            current.fail(new Fault(Kind.CLOSED, true, settings.node(), "the client was closed"));
        }
    }

    private void reconnect() {
        retry = null;
        otherLogin.cancel();
        connect(settings.reconnectTimeoutNanos());
    }

    private void connect(long budgetNanos) {
        connect(budgetNanos, null);
    }

    private void connect(long budgetNanos, @Nullable Refusal refusal) {
        Attempt attempt = new Attempt(
                loop, loops, settings, runtime, budgetNanos, refusal, loginKeeper.accepted(), new AttemptOwner());
        current = attempt;
        attempt.start(followed, inDoubt);
    }

    private void retryAfter(Attempt attempt, Fault fault, boolean expected) {
        if (closed) {
            if (afterClose != null) {
                afterClose.run();
            }
            return;
        }
        if (resting) {
            resting = false;
            moving = false;
            started = false;
            owner.rested();
            return;
        }
        if (moving) {
            moving = false;
            reconnect();
            return;
        }
        if (expected) {
            log.ended(fault);
            reconnect();
            return;
        }
        boolean soon = fault.kind().isTransient() || attempt.logins().isMissing();
        long delay = soon ? backoff.next() : backoff.longest();
        log.lost(fault, delay);
        retry = loop.schedule(this::reconnect, delay, TimeUnit.NANOSECONDS);
        if (attempt.logins().isMissing() && !hurried) {
            watchForOther(attempt.logins().newestInVain());
        }
        hurried = false;
    }

    /** Ends the pause as soon as there is a login that says something else. */
    private void watchForOther(@Nullable Login inVain) {
        otherLogin = settings.logins().whenGiven(inVain, loop, new Logins.Receiver() {

            @Override
            public void login(@Nullable Login given) {
                if (retry == null || given == null) {
                    return;
                }
                if (inVain != null && given.saysTheSameAs(inVain)) {
                    watchForOther(given);
                } else {
                    retry.cancel(false);
                    hurried = true;
                    reconnect();
                }
            }

            @Override
            public void noLogin(String why) {
                // The pause goes on.
            }
        });
    }

    private final class ServerFollower implements Whereabouts.Follower {

        /** An attempt that still looks for the server finds it where it is now. */
        @Override
        public void moved() {
            followed = null;
            justMoved = true;
            backoff.startAnew();
            if (!hurry() && current != null && current.hasFound()) {
                leaveForAnother();
            }
        }

        /** What the address led to before may be remembered. */
        @Override
        public void replaced(String newRunId) {
            if (!runId.isEmpty() && !runId.equals(newRunId)) {
                runId = "";
                followed = null;
                staleAddress = true;
                leaveForAnother();
            }
        }

        @Override
        public void known() {
            hurry();
        }
    }

    private final class AttemptOwner implements Attempt.Owner {

        @Override
        public Session newSession(ConnectionSettings found) {
            return owner.newSession(found);
        }

        @Override
        public EarlierConnections earlier() {
            return earlier;
        }

        @Override
        public void ready(Session session, ServerIdentity newIdentity, SocketAddress address) {
            inDoubt = false;
            runId = newIdentity.runId();
            if (forScripts) {
                earlier.add(newIdentity);
            }
            hurried = false;
            Attempt attempt = Objects.requireNonNull(current, "ready without an attempt");
            loginKeeper.begin(
                    session, attempt.logins().login(), attempt.logins().refusedForEarlier());
            if (forScripts) {
                lookout.begin(session, address);
            }
            log.connected(newIdentity.runId());
            up = true;
            report.ready(newIdentity, address);
            owner.up(session, newIdentity, address);
        }

        @Override
        public void over(Attempt attempt, Fault fault) {
            current = null;
            up = false;
            Refusal refusal = attempt.refusalOf(fault);
            if (refusal != null && !closed && !resting) {
                connect(attempt.leftNanos(), refusal);
                return;
            }
            Session lost = attempt.readySession();
            boolean expected = lost != null && lost.wasCut() && isNoIncident(attempt.readyForNanos());
            loginKeeper.end();
            lookout.end();
            runId = "";
            inDoubt = lost == null || staleAddress || fault.kind() == Kind.READONLY || fault.kind() == Kind.MASTERDOWN;
            staleAddress = false;
            if (lost == null) {
                report.failed(fault);
                owner.failed(fault);
            } else {
                backoff.connectionLived(attempt.readyForNanos());
                report.lost(fault);
                owner.down(lost, fault);
            }
            retryAfter(attempt, fault, expected);
        }

        /** Whether a connection that has lived so long is cut with nothing wrong. */
        private boolean isNoIncident(long livedNanos) {
            boolean isOfMove = justMoved;
            justMoved = false;
            boolean isLikely = loginKeeper.mayBeOver() || settings.whereabouts().tellsMoves();
            return isOfMove || ExpectedEnd.isOne(livedNanos, isLikely);
        }
    }
}
