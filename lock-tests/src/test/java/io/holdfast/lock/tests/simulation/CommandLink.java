package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.NodeCalls;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way of script calls to one server, with the production transport's rules: calls wait for a connection until their
 * deadlines, keep their places when they are overdue, end with it when it is lost, and are written again by nobody but
 * the engine, save after NOSCRIPT.
 */
final class CommandLink extends Link implements NodeCalls {

    /** What the backend hears. */
    interface Listener {

        void up(ServerRun run);

        void down(Fault fault);

        void unreachable(Fault fault);
    }

    private static final long GRAIN_NANOS = 1_000_000;

    private final Listener listener;
    /** Who decides which node calls are sent to, if there are several. */
    private final Traffic traffic;

    private final LinkQueue queue;
    private final Deque<IntConsumer> roomSeekers = new ArrayDeque<>();
    private final int queueLimit;
    private final long patienceNanos;
    private final Deque<Request> inFlight = new ArrayDeque<>();
    private final Map<Script, Long> loads = new IdentityHashMap<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    final WireJudges judges;

    private ServerRun run = ServerRun.UNKNOWN;
    private long written;
    private long expectsSinceNanos;
    private @Nullable Fault leaving;
    private @Nullable Fault lastFailure;
    private @Nullable Fault refusal;
    private boolean closing;

    private @Nullable Event alarm;
    private long alarmNanos;

    /** The way to a server of which there is one. */
    CommandLink(SimulatedClient client, SimulatedServer server, Route route, boolean fences, Listener listener) {
        this(
                client,
                server,
                route,
                fences,
                new Room(
                        client.options.queueLimit(),
                        client.options.commandTimeout().toNanos()),
                Traffic.ALONE,
                listener);
    }

    /**
     * The way to one of several nodes.
     *
     * @param room what their queues share
     * @param traffic hears what becomes of calls
     */
    CommandLink(
            SimulatedClient client,
            SimulatedServer server,
            Route route,
            boolean fences,
            Room room,
            Traffic traffic,
            Listener listener) {
        super(client, server, route, fences);
        this.listener = listener;
        this.queue = new LinkQueue(room, client.options.queueLimit());
        this.traffic = traffic;
        this.judges = new WireJudges(client, server, traffic == Traffic.ALONE);
        this.queueLimit = client.options.queueLimit();
        this.patienceNanos = client.options.commandTimeout().toNanos();
    }

    @Override
    String what() {
        return "commands";
    }

    // --- calls ---

    void send(ScriptCall call) {
        if (closing) {
            call.onFault(closedFault());
            return;
        }
        Request request = Request.of(call);
        request.sentNanos = client.nanos();
        judges.sent(request);
        if (queue.hasRoom(request)) {
            queue.add(request);
        } else {
            fail(request, new Fault(Kind.QUEUE_FULL, false, server.name, queueLimit + " calls are waiting"));
            return;
        }
        drain();
    }

    // --- calls of a cluster, which come from what decides where they go ---

    @Override
    public void take(ScriptCall call) {
        take(call, false);
    }

    @Override
    public void takeAsking(ScriptCall call) {
        take(call, true);
    }

    private void take(ScriptCall call, boolean asking) {
        Request request = Request.of(call);
        request.sentNanos = call.sentNanos;
        request.asking = asking;
        if (closed) {
            fail(request, closedFault());
        } else {
            queue.add(request);
        }
    }

    @Override
    public void write() {
        drain();
    }

    @Override
    public void takeOut(Predicate<ScriptCall> picked, Consumer<ScriptCall> taken) {
        queue.takeOut(request -> picked.test(call(request))).forEach(request -> taken.accept(call(request)));
    }

    @Override
    public void breakOff(String why) {
        lose(new Fault(Kind.DISCONNECTED, true, server.name, why));
    }

    @Override
    public void rest(String why) {
        if (connection != null && open() == 0) {
            rest(new Fault(Kind.CLOSED, false, server.name, why));
        }
    }

    @Override
    public void leave(String why) {
        Fault left = new Fault(Kind.UNREACHABLE, false, server.name, why);
        queue.takeOut(request -> true).forEach(request -> fail(request, left));
        rest(new Fault(Kind.DISCONNECTED, true, server.name, why));
    }

    @Override
    public Stream<NodeConnection> look() {
        return Stream.empty();
    }

    /** Whether a call of a slot was written on a connection that stands, and has no answer. */
    boolean hasInFlight(int slot) {
        return connection != null
                && inFlight.stream().anyMatch(request -> request.call != null && request.call.slot == slot);
    }

    // --- room ---

    /** Runs a task once, when there is room for ordinary calls, with the number of places. */
    void whenRoom(IntConsumer task) {
        roomSeekers.add(task);
        tellOfRoom();
    }

    private void tellOfRoom() {
        if (isHalfEmpty() && !roomSeekers.isEmpty()) {
            world.after(0, client, () -> {
                IntConsumer seeker = isHalfEmpty() ? roomSeekers.poll() : null;
                if (seeker != null) {
                    seeker.accept(queueLimit - queue.ordinary());
                }
            });
        }
    }

    private boolean isHalfEmpty() {
        return queue.ordinary() <= queueLimit / 2;
    }

    /** When a request that was not written yet has waited for too long. */
    private long dueNanos(Request request) {
        return Math.min(call(request).deadlineNanos, request.sentNanos + patienceNanos);
    }

    private void drain() {
        writeQueued();
        tellOfRoom();
        if (closing && open() == 0) {
            closeNow();
        }
    }

    private void writeQueued() {
        long now = client.nanos();
        while (true) {
            Request request = connection == null || leaving != null ? null : queue.poll(inFlight.size() >= queueLimit);
            if (request == null) {
                letWait();
                return;
            }
            ScriptCall call = call(request);
            if (dueNanos(request) - now <= 0) {
                fail(request, unsent());
            } else if (!call.beginWriting()) {
                fail(request, new Fault(Kind.UNREACHABLE, false, server.name, "taken back"));
            } else {
                call.run = run;
                request.encode();
                judges.writes(request);
                writeCall(request);
                include(call.deadlineNanos);
            }
        }
    }

    private void letWait() {
        Fault hopeless = closed ? closedFault() : refusal;
        if (hopeless != null) {
            queue.takeOut(request -> true).forEach(request -> fail(request, hopeless));
        } else {
            for (Request request : queue.all()) {
                client.heard.wantsToAsk(request);
                include(dueNanos(request));
                start();
            }
        }
    }

    private static ScriptCall call(Request request) {
        return Objects.requireNonNull(request.call, "a request without a call");
    }

    /** A call ends without an answer of the server. */
    private void fail(Request request, Fault fault) {
        judges.failed(request, fault);
        call(request).onFault(fault);
        traffic.ended(call(request));
    }

    private void writeCall(Request request) {
        Script script = call(request).script;
        if (!loads.containsKey(script)) {
            load(script);
        }
        client.heard.asks(request);
        write(request);
    }

    private void load(Script script) {
        loads.put(script, written);
        write(Request.load(script));
    }

    private void write(Request request) {
        if (inFlight.isEmpty()) {
            expectsSinceNanos = world.nanos();
        }
        request.position = written++;
        inFlight.add(request);
        Objects.requireNonNull(connection).send(request);
    }

    @Override
    void ping() {
        write(Request.ping());
    }

    @Override
    long expectsSince() {
        return inFlight.isEmpty() ? -1 : expectsSinceNanos;
    }

    // --- answers ---

    @Override
    public void answered(Connection from, Answer answer) {
        if (from != connection) {
            return;
        }
        heard();
        Request request = inFlight.remove();
        ScriptCall call = request.call;
        if (call != null) {
            onAnswer(request, call, answer);
        }
        if (leaving != null && inFlight.isEmpty()) {
            lose(leaving);
        }
        drain();
    }

    private void onAnswer(Request request, ScriptCall call, Answer answer) {
        if (answer.reply() != null) {
            judges.answered(request, answer.reply());
            call.onReply(answer.reply());
            traffic.ended(call);
            return;
        }
        Kind kind = Objects.requireNonNull(answer.error(), "an answer that is neither reply nor error");
        RespValue error = Resp.error(answer.toString());
        Fault fault = answer.words() == null
                ? new Fault(kind, false, server.name, kind.name())
                : ErrorReplies.fault(server.name, error);
        if (kind == Kind.SCRIPT_MISSING && !request.overdue && !request.resent) {
            Long loaded = loads.get(call.script);
            if (loaded == null || loaded < request.position) {
                load(call.script);
            }
            Request again = Request.of(call);
            again.askedNanos = request.askedNanos;
            again.sentNanos = request.sentNanos;
            again.resent = true;
            again.asking = request.asking;
            write(again);
            return;
        }
        if (!request.overdue && traffic.isSentOn(call, kind, error)) {
            return;
        }
        if (kind == Kind.READONLY && leaving == null) {
            leaving = new Fault(kind, true, server.name, kind.name());
        }
        if (!fault.kind().isTransient()) {
            client.heard.refusedForGood(request);
        }
        fail(request, fault);
    }

    // --- deadlines: one alarm for all ---

    private void include(long deadlineNanos) {
        if (alarm != null) {
            if (alarmNanos - deadlineNanos <= 0) {
                return;
            }
            alarm.cancel();
        }
        long delay = Math.max(GRAIN_NANOS, deadlineNanos - client.nanos());
        alarmNanos = client.nanos() + delay;
        alarm = world.after(delay, client, this::lookForOverdue);
    }

    private void lookForOverdue() {
        alarm = null;
        long now = client.nanos();
        for (Request request : queue.all()) {
            if (dueNanos(request) - now > 0) {
                include(dueNanos(request));
            } else if (queue.remove(request)) {
                fail(request, unsent());
            }
        }
        for (Request request : List.copyOf(inFlight)) {
            ScriptCall call = request.call;
            if (call == null || request.overdue) {
                continue;
            }
            if (call.deadlineNanos - now > 0) {
                include(call.deadlineNanos);
            } else if (inFlight.contains(request)) {
                request.overdue = true;
                call.onOverdue();
                traffic.overdue();
            }
        }
        drain();
    }

    private Fault unsent() {
        Fault reason = lastFailure;
        return new Fault(Kind.UNREACHABLE, false, server.name, reason == null ? "not connected" : reason.detail());
    }

    // --- the connection ---

    @Override
    void up() {
        refusal = null;
        lastFailure = null;
        leaving = null;
        loads.clear();
        written = 0;
        long upSinceNanos = client.nanos() - TimeUnit.SECONDS.toNanos(server.upSeconds());
        run = new ServerRun(server.runId(), upSinceNanos, server.isAppendOnly());
        judges.up();
        listener.up(run);
        drain();
    }

    ServerRun run() {
        return run;
    }

    @Override
    void down(Connection lost, Fault fault) {
        judges.down();
        List<Request> unanswered = new ArrayList<>(inFlight);
        inFlight.clear();
        for (Request request : unanswered) {
            if (request.call != null) {
                fail(request, new Fault(fault.kind(), true, fault.node(), fault.detail()));
            }
        }
        if (!closed) {
            disconnected(fault);
            listener.down(fault);
        }
        drain();
    }

    @Override
    void failed(Fault fault) {
        disconnected(fault);
        listener.unreachable(fault);
        drain();
    }

    /** Why there is no connection; null where there is one, or where none was tried. */
    @Nullable
    Fault lastFailure() {
        return lastFailure;
    }

    private void disconnected(Fault fault) {
        lastFailure = fault;
        if (!fault.kind().isTransient() || fault.kind() == Kind.READONLY) {
            refusal = new Fault(fault.kind(), false, fault.node(), fault.detail());
        }
    }

    // --- the end ---

    @Override
    public CompletableFuture<Void> close(long graceNanos) {
        if (!closing) {
            closing = true;
            world.after(graceNanos, client, this::closeNow);
            world.after(0, client, this::drain);
        }
        return gone;
    }

    private void closeNow() {
        end(new Fault(Kind.CLOSED, true, server.name, "the client was closed"));
    }

    private void end(Fault reason) {
        if (closed) {
            return;
        }
        if (alarm != null) {
            alarm.cancel();
        }
        close(reason);
        letWait();
        gone.complete(null);
    }

    private Fault closedFault() {
        return new Fault(Kind.CLOSED, false, server.name, "the client is closed");
    }

    /** How many calls have no answer yet. */
    int open() {
        return queue.all().size() + inFlight.size();
    }
}
