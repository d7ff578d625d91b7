package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
 * <p>Any thread brings steps for the event loop, which has the state of a link and of its owner. Other methods are called there,
 * unless they say otherwise.
 */
public final class Link {

    /** Whose link it is. */
    public interface Owner {

        /** The connection is ready. */
        void up(Session session, ServerIdentity identity, SocketAddress address);

        /** The connection was lost. */
        void down(Fault fault);

        /** An attempt to connect has failed. */
        void failed(Fault fault);

        /** The connection was ended to rest, and is gone: {@link #start} makes another one. */
        default void rested() {}
    }

    private final EventLoop loop;
    private final IoLoops loops;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final Function<ConnectionSettings, Session> sessions;
    private final Owner owner;
    private final Backoff backoff;
    private final LinkReport report;
    private final LinkLogins logins;
    private final Lookout lookout;
    private final NodeConnection.Use use;
    private final boolean forScripts;

    private @Nullable Attempt current;
    private @Nullable ScheduledFuture<?> retry;
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

    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    private final EarlierConnections earlier = new EarlierConnections();

    /** Whether the last attempt failed, or the last server was no primary: what is remembered may be why. */
    private boolean inDoubt;

    /** Whether the connection is being left since its address leads elsewhere now. */
    private boolean staleAddress;

    /**
     * @param use what the connection is for
     * @param sessions makes one for a server that has been found
     */
    public Link(
            EventLoop loop,
            IoLoops loops,
            ConnectionSettings settings,
            Runtime runtime,
            NodeConnection.Use use,
            Function<ConnectionSettings, Session> sessions,
            Owner owner) {
        this.loop = loop;
        this.loops = loops;
        this.settings = settings;
        this.runtime = runtime;
        this.sessions = sessions;
        this.owner = owner;
        this.use = use;
        this.forScripts = use == NodeConnection.Use.COMMANDS;
        this.backoff = new Backoff(runtime, settings.backoffMinNanos(), settings.backoffMaxNanos());
        this.report = new LinkReport(settings, runtime, use);
        this.lookout = new Lookout(loop, settings.whereabouts(), settings.roleNanos(), this::leaveForAnother);
        this.logins = new LinkLogins(loop, settings, runtime, new LastLogin());
        settings.whereabouts().follow(new ServerFollower());
    }

    /**
     * How the connection stands; nothing while it has never been wanted. Any thread.
     *
     * @param queued how many calls wait to be sent
     */
    public Stream<NodeConnection> look(int queued) {
        return started ? Stream.of(new NodeConnection(settings.node(), use, up, queued)) : Stream.empty();
    }

    /** Begins to connect, unless that has happened before. */
    public void start() {
        if (!started && !closed) {
            started = true;
            connect(forScripts ? settings.connectTimeoutNanos() : settings.reconnectTimeoutNanos());
        }
    }

    /** Runs a step on the event loop; never, if the loop has ended, as the client has then. Any thread. */
    public void run(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
            return;
        }
        try {
            loop.execute(step);
        } catch (RejectedExecutionException loopEnded) {
            gone.complete(null);
        }
    }

    /** Connects to this address of the server's host from now on, and leaves any other. Any thread. */
    public void follow(SocketAddress address) {
        run(() -> goTo(address));
    }

    private void goTo(SocketAddress address) {
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
            logins.stopWaiting();
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

    /** Completes when it is closed, and nothing is left of it. */
    public CompletableFuture<Void> gone() {
        return gone;
    }

    /** Whether it is closed, or about to be. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Ends the connection and all attempts, once. Any thread.
     *
     * @param before the owner's own end
     * @return completes when nothing is left
     */
    public CompletableFuture<Void> close(Runnable before) {
        run(() -> {
            if (!closed) {
                closed = true;
                before.run();
                end();
            }
        });
        return gone;
    }

    private void end() {
        if (retry != null) {
            retry.cancel(false);
            logins.stopWaiting();
        }
        if (current == null) {
            gone.complete(null);
        } else {
            current.fail(new Fault(Kind.CLOSED, true, settings.node(), "the client was closed"));
        }
    }

    private void reconnect() {
        retry = null;
        logins.stopWaiting();
        connect(settings.reconnectTimeoutNanos());
    }

    private void connect(long budgetNanos) {
        logins.forget();
        attempt(budgetNanos);
    }

    private void attempt(long budgetNanos) {
        Attempt attempt =
                new Attempt(loop, loops, settings, runtime, budgetNanos, logins, earlier, sessions, new AttemptOwner());
        current = attempt;
        attempt.start(followed, inDoubt);
    }

    private void retryAfter(Fault fault, boolean expected) {
        if (closed) {
            gone.complete(null);
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
            report.connectsAgain(fault);
            reconnect();
            return;
        }
        boolean soon = fault.kind().isTransient() || logins.isMissing();
        long delay = soon ? backoff.next() : backoff.longest();
        report.waits(fault, delay);
        retry = loop.schedule(this::reconnect, delay, TimeUnit.NANOSECONDS);
        if (logins.isMissing() && !hurried) {
            logins.whenOther(this::hurryOnce);
        }
        hurried = false;
    }

    private void hurryOnce() {
        hurried = true;
        hurry();
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
        public void ready(Session session, ServerIdentity newIdentity, SocketAddress address) {
            inDoubt = false;
            runId = newIdentity.runId();
            if (forScripts) {
                earlier.add(newIdentity);
            }
            hurried = false;
            // In RESP2 a connection with subscriptions must not say AUTH.
            boolean saysAuth = use != NodeConnection.Use.MESSAGES || session.speaksResp3();
            logins.begin(session, saysAuth ? null : Link.this::connectAnew);
            if (forScripts) {
                lookout.begin(session, address);
            }
            up = true;
            report.ready(newIdentity, address);
            owner.up(session, newIdentity, address);
        }

        @Override
        public void over(Attempt attempt, Fault fault) {
            current = null;
            up = false;
            Session lost = attempt.readySession();
            if (lost == null && !closed && !resting && logins.mayMend(fault)) {
                attempt(attempt.leftNanos());
                return;
            }
            boolean expected = lost != null && lost.wasCut() && isNoIncident(attempt.readyForNanos());
            logins.end();
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
                owner.down(fault);
            }
            retryAfter(fault, expected);
        }

        /** Whether a connection that has lived so long is cut with nothing wrong. */
        private boolean isNoIncident(long livedNanos) {
            boolean isOfMove = justMoved;
            justMoved = false;
            boolean isLikely = logins.mayBeOver() || settings.whereabouts().tellsMoves();
            return isOfMove || ExpectedEnd.isOne(livedNanos, isLikely);
        }
    }
}
