package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Vouching;
import io.holdfast.lock.spi.Wakeup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A store that remembers what it was asked and answers when the test says so, and what the test says.
 *
 * <p>It knows nothing of locks: it drives the engine through orders of events that a real server hardly ever brings.
 */
public final class ScriptedBackend implements Backend {

    private static final String OF_TURNS = "turn-";

    /** The scripts whose reply is one value, and not a list. */
    private static final Set<String> SINGLE_REPLY = Set.of(
            "mint",
            "confirm",
            "reenter",
            "force",
            "adopt",
            "mark",
            "marked",
            "fenced-set",
            "fenced-get",
            "signal-send",
            "signal-look",
            "proclaim");

    public final ManualRuntime runtime;

    /** The process that answers; a test that changes it plays a restart. */
    ServerRun run = ServerRun.UNKNOWN;

    /** Whether calls are written at once; the others wait in this client's queue. */
    boolean writes = true;

    /** Whether a test is asked what to answer to what a client says of itself; else that is answered on the spot. */
    boolean asksForRecords;

    /** Whether a test is asked what to answer to word that is taken back; else that is answered on the spot. */
    boolean asksForWord;

    /** For how many ordinary calls there is room; what comes beyond that is refused. */
    int places = Integer.MAX_VALUE;

    /** The clients that wait for room. */
    final List<IntConsumer> roomSeekers = new ArrayList<>();

    /** What Sentinels say of this node, where a client asks; null if there are none. */
    ScriptedVouching vouching;

    /** Whether a call must stay in one slot, as in a cluster. */
    boolean inCluster;

    /** Which node keeps a slot: all are kept by this one, unless a test says otherwise. */
    IntFunction<Object> keeper = slot -> this;

    /** The node's wall clock when the runtime's clock shows zero. */
    long epochMicros = 1_000_000_000L;

    private final String name;

    /** Every call so far, in the order of sending. */
    final List<Sent> sent = new ArrayList<>();

    final List<Topic> topics = new ArrayList<>();
    private final List<NodeListener> listeners = new ArrayList<>();
    private boolean reachable = true;
    private boolean wasReached = true;
    private boolean closed;

    public ScriptedBackend() {
        this(1);
    }

    public ScriptedBackend(long seed) {
        this(new ManualRuntime(seed), "scripted");
    }

    /** One of several that share a clock. */
    public ScriptedBackend(ManualRuntime runtime, String name) {
        this.runtime = runtime;
        this.name = name;
    }

    /** What this node's wall clock shows. */
    long micros() {
        return epochMicros + TimeUnit.NANOSECONDS.toMicros(runtime.nanos());
    }

    /** The oldest call without an answer, which must be of this script. */
    Sent next(String script) {
        List<Sent> open = open();
        assertThat(open).as("calls without an answer; expected " + script).isNotEmpty();
        assertThat(open.get(0).script()).as("the script of " + open.get(0)).isEqualTo(script);
        return open.get(0);
    }

    /** The calls without an answer, oldest first. */
    List<Sent> open() {
        return sent.stream().filter(call -> !call.answered).toList();
    }

    void assertNothingOpen() {
        assertThat(open()).as("calls without an answer").isEmpty();
    }

    /** The subscription that is open; there must be just one. */
    Topic topic() {
        List<Topic> open = topics.stream().filter(topic -> !topic.closed).toList();
        assertThat(open).as("open subscriptions").hasSize(1);
        return open.get(0);
    }

    /** A connection is ready again. */
    void reconnected() {
        reachable = true;
        wasReached = true;
        listeners.forEach(listener -> listener.up(name, run));
    }

    /** Calls of a slot go to another node than before. */
    void led(int slot) {
        BitSet slots = new BitSet();
        slots.set(slot);
        listeners.forEach(listener -> listener.led(slots));
    }

    /** The connection was lost. */
    void lost() {
        reachable = false;
        listeners.forEach(listener -> listener.down(name, new Fault(Fault.Kind.DISCONNECTED, true, name, "lost")));
    }

    /** There is no connection yet: the test says when there is. */
    void connecting() {
        reachable = false;
        wasReached = false;
    }

    /** An attempt to connect has failed. */
    void unreachable() {
        listeners.forEach(listener ->
                listener.unreachable(name, new Fault(Fault.Kind.UNREACHABLE, false, name, "Connection refused")));
    }

    /** The fields for which this node has granted a request. */
    List<String> grantedFields() {
        return sent.stream().filter(call -> call.granted).map(Sent::field).toList();
    }

    /** The fields that this node was told to forget. */
    List<String> releasedFields() {
        return sent.stream()
                .filter(call ->
                        call.script().equals("release") && call.args.get(1).equals("0"))
                .map(Sent::field)
                .toList();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void send(ScriptCall call) {
        if (!asksForRecords && call.script.name().equals("record")) {
            call.onReply(ScriptedReply.of(1L));
            return;
        }
        if (!asksForWord && call.script.name().equals("turn-give-up")) {
            call.onReply(ScriptedReply.of(1L));
            return;
        }
        if (!call.isUrgent() && places-- <= 0) {
            places = 0;
            call.onFault(new Fault(Fault.Kind.QUEUE_FULL, false, name, "full"));
            return;
        }
        if (writes) {
            call.beginWriting();
        }
        call.run = run();
        sent.add(new Sent(this, call));
    }

    @Override
    public void whenRoom(IntConsumer task) {
        roomSeekers.add(task);
    }

    /** There is room for so many ordinary calls: the first client that waits for it is told. */
    void room(int free) {
        places = free;
        roomSeekers.remove(0).accept(free);
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        Topic topic = new Topic(text(channel), wakeup);
        topics.add(topic);
        return () -> topic.closed = true;
    }

    @Override
    public Object shard(int slot) {
        return inCluster ? slot : this;
    }

    @Override
    public Object keeper(int slot) {
        return keeper.apply(slot);
    }

    @Override
    public ServerRun run() {
        return wasReached ? run : ServerRun.UNKNOWN;
    }

    @Override
    public void listen(NodeListener listener) {
        listeners.add(listener);
        if (reachable) {
            listener.up(name, run);
        }
    }

    @Override
    public Vouching vouching(long silenceNanos) {
        return vouching == null ? Backend.super.vouching(silenceNanos) : vouching;
    }

    @Override
    public ManualRuntime runtime() {
        return runtime;
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        closed = true;
        return CompletableFuture.completedFuture(null);
    }

    /** What a call has ended with already. */
    static <T> T now(CompletableFuture<T> call) {
        assertThat(call).as("a call that should have ended").isDone();
        return call.join();
    }

    /** A call has ended with this kind of failure already; nobody could end it later on a single thread. */
    static void assertFailed(CompletableFuture<?> call, Class<? extends Throwable> kind) {
        assertThat(call)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(kind);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A subscription, as the server would serve it. */
    static final class Topic {
        final String channel;
        private final Wakeup wakeup;
        boolean closed;

        Topic(String channel, Wakeup wakeup) {
            this.channel = channel;
            this.wakeup = wakeup;
        }

        void confirm() {
            wakeup.ready();
        }

        /** Messages do not arrive for now. */
        void silence() {
            wakeup.silent();
        }

        void publish() {
            publish("0");
        }

        void publish(String message) {
            wakeup.message(message);
        }
    }

    /** A call that the engine has sent. */
    static final class Sent {
        final List<String> keys = new ArrayList<>();
        final List<String> args = new ArrayList<>();
        private final ScriptedBackend node;
        private final ScriptCall call;
        private final long sentNanos;
        private boolean written;
        private boolean answered;
        private boolean granted;

        private Sent(ScriptedBackend node, ScriptCall call) {
            this.node = node;
            this.call = call;
            this.sentNanos = node.runtime.nanos();
            this.written = node.writes;
            call.encode(new Args() {
                @Override
                public Args key(byte[] key) {
                    keys.add(text(key));
                    return this;
                }

                @Override
                public Args arg(byte[] value) {
                    args.add(text(value));
                    return this;
                }

                @Override
                public Args arg(long value) {
                    args.add(Long.toString(value));
                    return this;
                }
            });
        }

        /** The slots of the keys. */
        Set<Integer> slots() {
            return keys.stream()
                    .map(key -> Slots.of(key.getBytes(StandardCharsets.UTF_8)))
                    .collect(Collectors.toSet());
        }

        /** The name of the script; one of locks whose clients take turns goes by that of plain locks. */
        String script() {
            String name = call.script.name();
            return name.startsWith(OF_TURNS) ? name.substring(OF_TURNS.length()) : name;
        }

        /** How long after it was sent an answer is due. */
        long millisForAnAnswer() {
            return TimeUnit.NANOSECONDS.toMillis(call.deadlineNanos - sentNanos);
        }

        /** The first argument, which is the field in every script that has one. */
        String field() {
            return args.get(0);
        }

        /** Whether the engine has taken the call back; if not, it is written now. */
        boolean isTakenBack() {
            boolean takenBack = !written && !call.beginWriting();
            written = !takenBack;
            return takenBack;
        }

        /** Says which process the call was really written to. */
        Sent writtenTo(ServerRun process) {
            call.run = process;
            return this;
        }

        /** How long after the sending the engine stops waiting for an answer. */
        long dueMillis() {
            return TimeUnit.NANOSECONDS.toMillis(call.deadlineNanos - sentNanos);
        }

        void granted(long token) {
            granted = true;
            reply(1L, token, node.micros());
        }

        /** Handed over, with so many tokens, and what is said of others that want the lock. */
        void handedOver(long token, int tokens, Outcome.Others others) {
            granted = true;
            reply(1L, token, (long) tokens, (long) others.ordinal());
        }

        void refused(long timeToLiveMillis) {
            refused(timeToLiveMillis, "other:1:1");
        }

        void refused(long timeToLiveMillis, String holder) {
            reply(0L, timeToLiveMillis, node.micros(), holder);
        }

        /** The script's word for "done". */
        void done() {
            if (script().equals("release") || script().equals("join")) {
                reply(1L, 0L);
            } else if (script().equals("renew")) {
                reply(keys.stream().map(key -> 1L).toArray());
            } else if (script().equals("mark")) {
                reply(args.get(0));
            } else {
                reply(1L);
            }
        }

        /** The script's word for "the field is gone". */
        void gone() {
            if (script().equals("renew")) {
                reply(keys.stream().map(key -> 0L).toArray());
            } else {
                reply(0L, 0L);
            }
        }

        void reply(Object... elements) {
            answer();
            call.onReply(
                    SINGLE_REPLY.contains(script())
                            ? ScriptedReply.of(elements[0])
                            : ScriptedReply.of(List.of(elements)));
        }

        /** The guard lets the step's answer count. */
        void counting(Object answer) {
            guarded(0, answer);
        }

        /** The step was run, and so much is left of the pause. */
        void early(long leftMillis, Object answer) {
            guarded(leftMillis, answer);
        }

        /** The step was not run, since so much is left of the pause. */
        void paused(long leftMillis) {
            guarded(leftMillis);
        }

        /** The server is in another term. */
        void noTerm() {
            guarded(-1);
        }

        private void guarded(Object... elements) {
            answer();
            call.onReply(ScriptedReply.of(List.of(elements)));
        }

        /** Whether the time for an answer is over. */
        boolean isDue() {
            return call.deadlineNanos - node.runtime.nanos() <= 0;
        }

        /** The time for an answer is over; one may still come. */
        void overdue() {
            call.onOverdue();
        }

        /** The connection broke when the call was on its way. */
        void disconnected() {
            fault(Fault.Kind.DISCONNECTED, true);
        }

        void fault(Fault.Kind kind, boolean maybeApplied) {
            answer();
            call.onFault(new Fault(kind, maybeApplied, node.name, "as the test wants it"));
        }

        private void answer() {
            assertThat(answered).as("answered twice: " + this).isFalse();
            answered = true;
        }

        @Override
        public String toString() {
            return node.name + ": " + script() + args;
        }
    }
}
