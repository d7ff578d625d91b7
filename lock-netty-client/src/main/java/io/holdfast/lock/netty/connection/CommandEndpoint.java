package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where script calls to one server go in: a bounded queue in front of a connection that comes and goes.
 *
 * <p>Callers only touch the queue. The event loop takes calls out, urgent ones first, as soon as there is a connection that
 * takes them; it fails those that have waited for too long before that. While the server refuses us for a reason that
 * trying soon can't change, calls fail at once with that reason instead of waiting.
 *
 * <p>Ordinary calls that find no room are refused. Clients whose calls wait for room are told, one after the other, when
 * half of it is free.
 *
 * <p>Calls that arrive while replies are being read are often answers to these replies; they are written together, with
 * one flush, when the reading is done.
 */
public final class CommandEndpoint {

    private static final Logger log = LoggerFactory.getLogger(CommandEndpoint.class);

    /** What the owner of the endpoint hears, on the event loop. */
    public interface Listener {

        /**
         * The connection is ready.
         *
         * @param inCluster whether the server is in cluster mode
         * @param address which of the host's addresses it leads to
         */
        void up(ServerRun run, boolean inCluster, SocketAddress address);

        void down(Fault fault);

        /** An attempt to connect has failed. */
        void failed(Fault fault);
    }

    /** How many new calls are taken before the event loop turns to something else. */
    private static final int MOST_PER_TURN = 1_024;

    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final Listener listener;
    private final EventLoop loop;
    private final Link link;
    private final DeadlineTimer deadlines;
    private final Notices notices;
    private final NumberedScripts numberedScripts = new NumberedScripts();

    private final CallQueue queue;
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final AtomicBoolean closeRequested = new AtomicBoolean();
    private final Runnable scheduledDrain = this::scheduledDrain;
    /** The clients that wait for room. */
    private final Queue<IntConsumer> roomSeekers = new ConcurrentLinkedQueue<>();

    // From here on: the event loop's own.

    private @Nullable CommandSession session;
    private @Nullable Fault lastFailure;
    private @Nullable Fault refusal;
    private ServerRun run = ServerRun.UNKNOWN;
    private boolean busy;
    private boolean unflushed;
    private boolean closed;
    private @Nullable ScheduledFuture<?> graceEnd;

    public CommandEndpoint(ConnectionSettings settings, Runtime runtime, IoLoops loops, Listener listener) {
        this.settings = settings;
        this.runtime = runtime;
        this.listener = listener;
        this.loop = loops.next();
        this.link = new Link(loop, loops, settings, runtime, NodeConnection.Use.COMMANDS, true, new LinkOwner());
        this.deadlines = new DeadlineTimer(loop, runtime, this::lookForOverdue);
        this.notices = new Notices(settings.node());
        this.queue = new CallQueue(settings.queueLimit(), settings.commandTimeoutNanos());
    }

    /** The event loop that all of this endpoint's callbacks run on. */
    public EventLoop loop() {
        return loop;
    }

    /** How the connection stands. Any thread. */
    public Stream<NodeConnection> look() {
        return link.look(NodeConnection.Use.COMMANDS, queue.waiting());
    }

    /** Begins to connect; harmless if that has happened before. */
    public void start() {
        loop.execute(link::start);
    }

    /** Sends a call. A call that can't even be queued hears so before this returns. */
    public void send(ScriptCall call) {
        if (offer(call)) {
            writeSoon();
        }
    }

    /** The same for several, which are written together if there is room for them. */
    public void sendAll(Collection<? extends ScriptCall> calls) {
        boolean any = false;
        for (ScriptCall call : calls) {
            any |= offer(call);
        }
        if (any) {
            writeSoon();
        }
    }

    /** Runs a task once on the event loop, when there is room for ordinary calls, with the number of places. */
    public void whenRoom(IntConsumer task) {
        roomSeekers.add(task);
        if (queue.isHalfEmpty()) {
            // What made the room may have looked for seekers before.
            writeSoon();
        }
    }

    /** Whether the call is in the queue now. */
    private boolean offer(ScriptCall call) {
        if (closeRequested.get()) {
            Calls.fault(call, closedFault());
            return false;
        }
        if (!queue.offer(call)) {
            String detail = queue.waiting() + " calls are waiting";
            Calls.fault(call, new Fault(Kind.QUEUE_FULL, false, settings.node(), detail));
            return false;
        }
        return true;
    }

    private void writeSoon() {
        if (loop.inEventLoop()) {
            drain();
        } else if (drainScheduled.compareAndSet(false, true)) {
            scheduleDrain();
        }
    }

    /** Lets calls finish for a while, then ends the connection. Legal on any thread, any number of times. */
    public CompletionStage<Void> close(long graceNanos) {
        if (closeRequested.compareAndSet(false, true)) {
            try {
                loop.execute(() -> {
                    graceEnd = loop.schedule(this::closeNow, graceNanos, TimeUnit.NANOSECONDS);
                    drain();
                });
            } catch (RejectedExecutionException closedLoop) {
                loopEnded();
                gone.complete(null);
            }
        }
        return gone;
    }

    private void scheduleDrain() {
        try {
            loop.execute(scheduledDrain);
        } catch (RejectedExecutionException closedLoop) {
            // First of all: a thread that adds a call from now on finds out by itself; calls added before are ended
            // here.
            drainScheduled.set(false);
            loopEnded();
        }
    }

    private void scheduledDrain() {
        drainScheduled.set(false);
        drain();
    }

    /** Writes what can be written. Harmless at any time; does nothing where a drain follows anyway. */
    private void drain() {
        if (busy) {
            return;
        }
        busy = true;
        try {
            writeQueued();
            flush();
        } finally {
            busy = false;
        }
        if (!roomSeekers.isEmpty() && queue.isHalfEmpty() && !closed) {
            loop.execute(this::tellOfRoom);
        }
        if (closeRequested.get() && isIdle()) {
            closeNow();
        }
    }

    /** Lets a client that waits for room send what it likes, all of which is written together. */
    private void tellOfRoom() {
        IntConsumer seeker = queue.isHalfEmpty() ? roomSeekers.poll() : null;
        if (seeker == null) {
            return;
        }
        busy = true;
        try {
            seeker.accept(queue.places());
        } catch (RuntimeException | Error bug) {
            log.error("A client of {} failed when it was told of room", settings.node(), bug);
        } finally {
            busy = false;
        }
        drain();
    }

    /** Writes calls in their turn; but not for ever, since replies want to be read as well. */
    private void writeQueued() {
        long now = runtime.nanos();
        for (int written = 0; written < MOST_PER_TURN; written++) {
            CommandSession open = accepting();
            ScriptCall call = open == null ? null : queue.poll(open.isFull());
            if (open == null || call == null) {
                letWait();
                return;
            }
            write(call, open, now);
        }
        if (drainScheduled.compareAndSet(false, true)) {
            scheduleDrain();
        }
    }

    private void write(ScriptCall call, CommandSession open, long now) {
        if (queue.dueNanos(call) - now <= 0) {
            hasWaitedInVain(call, now);
        } else if (call.beginWriting()) {
            call.run = run;
            open.write(call);
            unflushed = true;
            deadlines.include(call.deadlineNanos);
        } else {
            Calls.fault(call, new Fault(Kind.UNREACHABLE, false, settings.node(), "taken back before it was sent"));
        }
    }

    /** Lets calls wait that can't be written now, or fails them where waiting can't help. */
    private void letWait() {
        if (closed) {
            failQueued(closedFault());
        } else if (refusal != null) {
            failQueued(refusal);
        } else if (!queue.isEmpty()) {
            queue.lineUp(call -> {
                deadlines.include(queue.dueNanos(call));
                link.start();
            });
        }
    }

    private void failQueued(Fault fault) {
        for (ScriptCall call = queue.poll(false); call != null; call = queue.poll(false)) {
            Calls.fault(call, fault);
        }
    }

    /** The event loop is gone, and with it the only thread that takes calls out of the queue. */
    private void loopEnded() {
        for (ScriptCall call = queue.pollEntrance(); call != null; call = queue.pollEntrance()) {
            Calls.fault(call, closedFault());
        }
    }

    /** The connection, if it takes a call now, perhaps after a flush. */
    private @Nullable CommandSession accepting() {
        CommandSession present = session;
        if (present != null && !present.accepts()) {
            flush();
        }
        return present != null && present.accepts() ? present : null;
    }

    private void flush() {
        if (unflushed && session != null) {
            unflushed = false;
            session.flushCalls();
        }
    }

    private void lookForOverdue() {
        busy = true;
        long now = runtime.nanos();
        queue.expire(now, call -> hasWaitedInVain(call, now), call -> deadlines.include(queue.dueNanos(call)));
        if (session != null) {
            session.lookForOverdue(now, deadlines);
        }
        busy = false;
        drain();
    }

    private void hasWaitedInVain(ScriptCall call, long now) {
        if (session != null) {
            queue.isTooLong(now);
        }
        Calls.fault(call, unsent());
    }

    /** Why a call was not written in its time. */
    private Fault unsent() {
        if (session != null) {
            String detail = session.accepts() && !session.isFull()
                    ? "this client was too busy to send the request in time"
                    : "the connection takes no more requests";
            return new Fault(Kind.UNREACHABLE, false, settings.node(), detail);
        }
        Fault reason = lastFailure;
        if (reason == null) {
            return new Fault(Kind.UNREACHABLE, false, settings.node(), "not connected yet");
        }
        Kind kind =
                switch (reason.kind()) {
                    case LOADING, BUSY, MASTERDOWN, MAXCLIENTS -> reason.kind();
                    default -> Kind.UNREACHABLE;
                };
        return new Fault(kind, false, settings.node(), "no connection: " + reason.detail());
    }

    private boolean isIdle() {
        return queue.isEmpty() && (session == null || session.isIdle());
    }

    private void closeNow() {
        if (closed) {
            return;
        }
        closed = true;
        if (graceEnd != null) {
            graceEnd.cancel(false);
        }
        deadlines.stop();
        failQueued(closedFault());
        link.close(() -> gone.complete(null));
    }

    private Fault closedFault() {
        return new Fault(Kind.CLOSED, false, settings.node(), "the client is closed");
    }

    /** There is no connection any more, or still none. */
    private void disconnected(Fault fault) {
        lastFailure = fault;
        if (isRefusal(fault.kind())) {
            refusal = new Fault(fault.kind(), false, fault.node(), fault.detail());
            failQueued(refusal);
        }
    }

    /** Whether there is a server, and it will not do for a while. */
    private static boolean isRefusal(Kind kind) {
        return !kind.isTransient() || kind == Kind.READONLY || kind == Kind.MASTERDOWN || kind == Kind.SENTINEL;
    }

    /** A Unix socket is always the same place. */
    private static String place(SocketAddress address) {
        return address instanceof InetSocketAddress at && at.getAddress() != null
                ? at.getAddress().getHostAddress() + ":" + at.getPort()
                : "";
    }

    private final class LinkOwner implements Link.Owner, CommandSession.Owner {

        @Override
        public Session newSession(ConnectionSettings found) {
            return new CommandSession(found, runtime, notices, numberedScripts, this);
        }

        @Override
        public void up(Session ready, ServerIdentity identity, SocketAddress address) {
            session = (CommandSession) ready;
            refusal = null;
            lastFailure = null;
            long upSinceNanos = runtime.nanos() - TimeUnit.SECONDS.toNanos(identity.upSeconds());
            run = new ServerRun(identity.runId(), upSinceNanos, identity.appendOnly(), place(address));
            listener.up(run, identity.inCluster(), address);
            drain();
        }

        @Override
        public void down(Session lost, Fault fault) {
            session = null;
            busy = false;
            unflushed = false;
            if (!closed) {
                disconnected(fault);
                listener.down(fault);
            }
            drain();
        }

        @Override
        public void failed(Fault fault) {
            if (!closed) {
                disconnected(fault);
                listener.failed(fault);
            }
            drain();
        }

        @Override
        public void readBegins() {
            busy = true;
        }

        @Override
        public void readEnds() {
            busy = false;
            drain();
        }

        @Override
        public void canWrite() {
            drain();
        }
    }
}
