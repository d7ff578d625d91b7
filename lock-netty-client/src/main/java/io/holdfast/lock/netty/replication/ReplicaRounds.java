package io.holdfast.lock.netty.replication;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.Link;
import io.holdfast.lock.netty.connection.ServerIdentity;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ServerRun;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the replicas of one server, round by round, on a connection of its own that is made for the first grant: WAIT blocks
 * the connection on which it is said.
 *
 * <p>One round is in flight. Grants that come meanwhile gather for the next one, so that many share one WAIT. All state
 * belongs to the event loop.
 */
public final class ReplicaRounds implements Replication {

    private final ConnectionSettings settings;
    private final EventLoop loop;
    private final Link link;
    private final Wish wish;
    private final WaitKey key;

    private @Nullable ReplicaQuestions questions;
    private @Nullable Session session;
    /** What is asked next. */
    private Round gathering;
    /** Null while no round is in flight. */
    private @Nullable Round flying;

    private @Nullable ScheduledFuture<?> patience;
    private boolean sendScheduled;
    /** Why the latest attempt to connect failed, if the server had no room: trying sooner makes that worse. */
    private @Nullable Fault noRoom;
    /** Why nothing is asked any more. */
    private Fault end;

    /** Rounds at one server. */
    public ReplicaRounds(
            ConnectionSettings settings, Runtime runtime, IoLoops loops, EventLoop loop, Wish wish, WaitKey key) {
        this.settings = settings;
        this.loop = loop;
        this.wish = wish;
        this.key = key;
        this.end = closedFault();
        this.gathering = new Round(settings.node());
        this.link = new Link(
                loop,
                loops,
                settings,
                runtime,
                NodeConnection.Use.REPLICAS,
                found -> new Session(found, runtime, Session::isPush),
                new LinkOwner());
    }

    @Override
    public void await(int slot, ServerRun run, Listener listener) {
        try {
            if (loop.inEventLoop()) {
                add(slot, run, listener);
            } else {
                loop.execute(() -> add(slot, run, listener));
            }
        } catch (RejectedExecutionException loopEnded) {
            listener.failed(closedFault());
        }
    }

    /** A round that is in flight, a connection that is made anew, and the round that follows. */
    @Override
    public long longestNanos() {
        return longestNanos(settings, wish);
    }

    /** The same of any server that is connected so. */
    public static long longestNanos(ConnectionSettings settings, Wish wish) {
        return settings.connectTimeoutNanos() + 2 * roundNanos(settings, wish);
    }

    private static long roundNanos(ConnectionSettings settings, Wish wish) {
        return wish.timeoutNanos() + settings.commandTimeoutNanos();
    }

    /** Connects to this address of the server's host from now on. Any thread. */
    public void follow(SocketAddress address) {
        link.follow(address);
    }

    /** How the connection stands. Any thread. */
    public Stream<NodeConnection> look() {
        return link.look(0);
    }

    /** Ends the connection; what waits for replicas fails. Any thread, any number of times. */
    public CompletionStage<Void> close() {
        return close(closedFault());
    }

    /** The same for a server that has lost its locks to another one: its replicas prove nothing any more. */
    public CompletionStage<Void> retire(String why) {
        return close(tooFew(why));
    }

    private CompletionStage<Void> close(Fault why) {
        return link.close(() -> {
            end = why;
            takeGathering().failed(why);
        });
    }

    private void add(int slot, ServerRun run, Listener listener) {
        Fault obstacle = link.isClosed() ? end : noRoom;
        if (obstacle != null) {
            listener.failed(obstacle);
            return;
        }
        gathering.add(slot, run, listener);
        if (questions == null) {
            connect();
        } else {
            sendSoon();
        }
    }

    /** There is an attempt to connect while any grant waits for one. */
    private void connect() {
        link.start();
        link.hurry();
    }

    /** One round for all grants that the event loop brings in this turn. */
    private void sendSoon() {
        if (!sendScheduled && flying == null) {
            sendScheduled = true;
            loop.execute(() -> {
                sendScheduled = false;
                send();
            });
        }
    }

    private void send() {
        ReplicaQuestions open = questions;
        if (open == null || flying != null || gathering.isEmpty()) {
            return;
        }
        flying = takeGathering();
        key.begin(flying.slot());
        long nanos = roundNanos(settings, wish);
        patience = loop.schedule(() -> giveUp(nanos), nanos, TimeUnit.NANOSECONDS);
        open.ask();
    }

    private Round takeGathering() {
        Round full = gathering;
        gathering = new Round(settings.node());
        return full;
    }

    private void giveUp(long nanos) {
        if (session != null) {
            String detail = "no answer about replicas within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
            session.abort(new Fault(Kind.NO_ANSWER, true, settings.node(), detail));
        }
    }

    /** The round in flight is over, and the next may go. */
    private Round takeFlying() {
        Round over = Objects.requireNonNull(flying, "no round is in flight");
        flying = null;
        if (patience != null) {
            patience.cancel(false);
        }
        sendSoon();
        return over;
    }

    private Fault tooFew(String detail) {
        return new Fault(Kind.NOREPLICAS, false, settings.node(), detail);
    }

    private Fault closedFault() {
        return new Fault(Kind.CLOSED, false, settings.node(), "the client is closed");
    }

    private final class LinkOwner implements Link.Owner {

        @Override
        public void up(Session ready, ServerIdentity identity, SocketAddress address) {
            session = ready;
            questions = new ReplicaQuestions(ready, wish, key, ReplicaRounds.this::takeFlying);
            noRoom = null;
            questions.begin(settings.server().database());
            send();
        }

        /** What was asked on a connection that is gone is not asked again: its time is over, or the server is. */
        @Override
        public void down(Fault fault) {
            session = null;
            questions = null;
            if (flying != null) {
                takeFlying().failed(link.isClosed() ? end : fault);
            }
            if (!gathering.isEmpty()) {
                loop.execute(ReplicaRounds.this::connect);
            }
        }

        @Override
        public void failed(Fault fault) {
            noRoom = fault.kind() == Kind.MAXCLIENTS ? fault : null;
            takeGathering().failed(fault);
        }
    }
}
