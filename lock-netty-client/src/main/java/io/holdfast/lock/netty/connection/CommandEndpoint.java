package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
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
public final class CommandEndpoint implements NodeCalls {

    private static final Logger log = LoggerFactory.getLogger(CommandEndpoint.class);

    /** How many new calls are taken before the event loop turns to something else. */
    private static final int MOST_PER_TURN = 1_024;

    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final EndpointListener listener;
    private final EventLoop loop;
    private final Link link;
    private final DeadlineTimer deadlines;
    private final NumberedScripts numberedScripts = new NumberedScripts();

    private final Room room;
    private final CallQueue queue;
    private final Calls calls;
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final AtomicBoolean closeRequested = new AtomicBoolean();
    private final Runnable scheduledDrain = this::scheduledDrain;

    // From here on: the event loop's own.

    private @Nullable CommandSession session;
    private @Nullable Fault lastFailure;
    private @Nullable Fault refusal;
    private ServerRun run = ServerRun.UNKNOWN;
    private boolean busy;
    private boolean unflushed;
    private boolean closed;
    private @Nullable ScheduledFuture<?> graceEnd;
    /** The calls, not written yet, that a node takes only if it is told that their slot is on its way there. */
    private final Set<ScriptCall> asking = new HashSet<>();

    /** The endpoint of a server of which there is one. */
    public CommandEndpoint(ConnectionSettings settings, Runtime runtime, IoLoops loops, EndpointListener listener) {
        this(
                settings,
                runtime,
                loops,
                loops.next(),
                new Room(settings.queueLimit(), settings.commandTimeoutNanos()),
                Traffic.ALONE,
                listener);
    }

    /**
     * The endpoint of one of several servers, on the event loop that all of them share.
     *
     * @param room what their queues share
     * @param traffic hears what becomes of calls
     */
    public CommandEndpoint(
            ConnectionSettings settings,
            Runtime runtime,
            IoLoops loops,
            EventLoop loop,
            Room room,
            Traffic traffic,
            EndpointListener listener) {
        this.settings = settings;
        this.runtime = runtime;
        this.listener = listener;
        this.loop = loop;
        this.room = room;
        this.calls = new Calls(traffic);
        LinkOwner owner = new LinkOwner();
        Notices notices = new Notices(settings.node());
        this.link = new Link(
                loop,
                loops,
                settings,
                runtime,
                NodeConnection.Use.COMMANDS,
                found -> new CommandSession(found, runtime, notices, numberedScripts, calls, traffic, owner),
                owner);
        this.deadlines = new DeadlineTimer(loop, runtime, this::lookForOverdue);
        this.queue = new CallQueue(room, settings.commandTimeoutNanos(), traffic != Traffic.ALONE);
    }

    /** The event loop that all of this endpoint's callbacks run on. */
    public EventLoop loop() {
        return loop;
    }

    @Override
    public Stream<NodeConnection> look() {
        return link.look(queue.size());
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
        room.seek(task);
        if (room.isHalfEmpty()) {
            // What made the room may have looked for seekers before.
            writeSoon();
        }
    }

    // --- for a part that decides which of several nodes a call is sent to; on the event loop ---

    @Override
    public void take(ScriptCall call) {
        if (closed) {
            takeAsked(call);
            calls.fault(call, closedFault());
        } else {
            queue.take(call);
        }
    }

    @Override
    public void takeAsking(ScriptCall call) {
        asking.add(call);
        take(call);
    }

    @Override
    public void takeOut(Predicate<ScriptCall> picked, Consumer<ScriptCall> taken) {
        queue.takeOut(picked, call -> {
            takeAsked(call);
            taken.accept(call);
        });
    }

    @Override
    public void breakOff(String why) {
        if (session != null) {
            session.abort(new Fault(Kind.DISCONNECTED, true, settings.node(), why));
        }
    }

    @Override
    public void rest(String why) {
        if (session != null && isIdle()) {
            link.rest(new Fault(Kind.CLOSED, false, settings.node(), why));
        }
    }

    @Override
    public void leave(String why) {
        failQueued(new Fault(Kind.UNREACHABLE, false, settings.node(), why));
        link.rest(new Fault(Kind.DISCONNECTED, true, settings.node(), why));
        // A replica may be a primary by the time it is wanted again.
        refusal = null;
        lastFailure = null;
    }

    // --- the queue ---

    /** Whether the call is in the queue now. */
    private boolean offer(ScriptCall call) {
        if (closeRequested.get()) {
            calls.fault(call, closedFault());
            return false;
        }
        if (!queue.offer(call)) {
            String detail = room.taken() + " calls are waiting";
            calls.fault(call, new Fault(Kind.QUEUE_FULL, false, settings.node(), detail));
            return false;
        }
        return true;
    }

    private void writeSoon() {
        if (loop.inEventLoop()) {
            write();
        } else if (drainScheduled.compareAndSet(false, true)) {
            scheduleDrain();
        }
    }

    /** Legal on any thread, any number of times. */
    @Override
    public CompletionStage<Void> close(long graceNanos) {
        if (closeRequested.compareAndSet(false, true)) {
            try {
                loop.execute(() -> {
                    graceEnd = loop.schedule(this::closeNow, graceNanos, TimeUnit.NANOSECONDS);
                    write();
                });
            } catch (RejectedExecutionException closedLoop) {
                loopEnded();
                return link.close(() -> {});
            }
        }
        return link.gone();
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
        write();
    }

    /** Harmless at any time; does nothing where another write follows anyway. */
    @Override
    public void write() {
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
        if (room.isToBeTold() && !closed) {
            loop.execute(this::tellOfRoom);
        }
        if (closeRequested.get() && isIdle()) {
            closeNow();
        }
    }

    /** Lets a client that waits for room send what it likes, all of which is written together. */
    private void tellOfRoom() {
        IntConsumer seeker = room.nextSeeker();
        if (seeker == null) {
            return;
        }
        busy = true;
        try {
            seeker.accept(room.places());
        } catch (RuntimeException | Error bug) {
            log.error("A client of {} failed when it was told of room", settings.node(), bug);
        } finally {
            busy = false;
        }
        write();
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
            open.write(call, takeAsked(call));
            unflushed = true;
            deadlines.include(call.deadlineNanos);
        } else {
            calls.fault(call, new Fault(Kind.UNREACHABLE, false, settings.node(), "taken back before it was sent"));
        }
    }

    private boolean takeAsked(ScriptCall call) {
        return !asking.isEmpty() && asking.remove(call);
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
            takeAsked(call);
            calls.fault(call, fault);
        }
    }

    /** The event loop is gone, and with it the only thread that takes calls out of the queue. */
    private void loopEnded() {
        for (ScriptCall call = queue.pollEntrance(); call != null; call = queue.pollEntrance()) {
            calls.fault(call, closedFault());
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
        write();
    }

    private void hasWaitedInVain(ScriptCall call, long now) {
        if (session != null) {
            room.isTooLong(now);
        }
        takeAsked(call);
        calls.fault(call, Unsent.fault(settings.node(), session, lastFailure));
    }

    /** Whether no call waits here or is in flight. */
    public boolean isIdle() {
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
        link.close(() -> {});
    }

    private Fault closedFault() {
        return new Fault(Kind.CLOSED, false, settings.node(), "the client is closed");
    }

    /** There is no connection any more, or still none. */
    private void disconnected(Fault fault) {
        lastFailure = fault;
        if (Unsent.isRefusal(fault.kind())) {
            refusal = new Fault(fault.kind(), false, fault.node(), fault.detail());
            failQueued(refusal);
        }
    }

    private final class LinkOwner implements Link.Owner, CommandSession.Owner {

        @Override
        public void up(Session ready, ServerIdentity identity, SocketAddress address) {
            session = (CommandSession) ready;
            refusal = null;
            lastFailure = null;
            run = identity.run(runtime.nanos(), address);
            listener.up(run, identity, address);
            write();
        }

        @Override
        public void down(Fault fault) {
            session = null;
            busy = false;
            unflushed = false;
            if (!closed && !link.isResting()) {
                disconnected(fault);
                listener.down(fault);
            }
            write();
        }

        @Override
        public void rested() {
            listener.rested();
            if (!queue.isEmpty()) {
                link.start();
            }
        }

        @Override
        public void failed(Fault fault) {
            if (!closed && !link.isResting()) {
                disconnected(fault);
                listener.failed(fault);
            }
            write();
        }

        @Override
        public void readBegins() {
            busy = true;
        }

        @Override
        public void readEnds() {
            busy = false;
            write();
        }

        @Override
        public void canWrite() {
            write();
        }
    }
}
