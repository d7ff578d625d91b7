package io.holdfast.lock.engine;

import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.ScriptedBackend.Topic;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection to a {@link ModelNode}: requests and answers keep their order and take their time, which is
 * drawn by lot. It may stall, and it may break; then what has not been answered may or may not have taken effect.
 */
final class ModelLink implements Backend {
    private final ModelNode node;
    private final ManualRuntime runtime;
    private final Random random;
    private final ScriptedBackend recorder;
    private final Set<Sent> unanswered = new LinkedHashSet<>();
    private final List<Topic> topics = new ArrayList<>();
    private final List<NodeListener> listeners = new ArrayList<>();

    private int connection;
    private boolean down;
    private long requestsFlowNanos;
    private long answersFlowNanos;

    ModelLink(ModelNode node, ManualRuntime runtime, Random random) {
        this.node = node;
        this.runtime = runtime;
        this.random = random;
        this.recorder = new ScriptedBackend(runtime, node.name);
        this.requestsFlowNanos = runtime.nanos();
        this.answersFlowNanos = runtime.nanos();
        node.listeners.add(freed -> topics.forEach(this::tell));
    }

    // --- faults ---

    /** Nothing gets through for a while, and nothing is lost. */
    void stall(long millis) {
        requestsFlowNanos = Math.max(requestsFlowNanos, runtime.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** The connection breaks, and comes back after a while. */
    void breakFor(long millis) {
        if (down) {
            return;
        }
        down = true;
        connection++;
        List<Sent> lost = List.copyOf(unanswered);
        unanswered.clear();
        lost.forEach(Sent::disconnected);
        Fault fault = new Fault(Fault.Kind.DISCONNECTED, true, node.name, "the connection broke");
        listeners.forEach(listener -> listener.down(node.name, fault));
        runtime.after(TimeUnit.MILLISECONDS.toNanos(millis), () -> {
            down = false;
            requestsFlowNanos = runtime.nanos();
            answersFlowNanos = runtime.nanos();
            listeners.forEach(listener -> listener.up(node.name, node.run));
        });
    }

    // --- the way of a request ---

    @Override
    public void send(ScriptCall call) {
        recorder.run = run();
        recorder.send(call);
        Sent sent = recorder.sent.remove(0);
        if (down) {
            runtime.after(0, () -> sent.fault(Fault.Kind.UNREACHABLE, false));
            return;
        }
        unanswered.add(sent);
        int used = connection;
        requestsFlowNanos = Math.max(requestsFlowNanos, runtime.nanos() + delayNanos());
        runtime.after(requestsFlowNanos - runtime.nanos(), () -> arrive(sent, used));
        runtime.after(call.deadlineNanos - runtime.nanos(), () -> {
            if (unanswered.contains(sent)) {
                sent.overdue();
            }
        });
    }

    private void arrive(Sent sent, int used) {
        if (used == connection) {
            Object[] answer = node.run(sent);
            answersFlowNanos = Math.max(answersFlowNanos, runtime.nanos() + delayNanos());
            runtime.after(answersFlowNanos - runtime.nanos(), () -> {
                if (unanswered.remove(sent)) {
                    sent.reply(answer);
                }
            });
        }
    }

    /** Mostly a fraction of a millisecond, now and then much longer. */
    private long delayNanos() {
        long micros = random.nextInt(20) == 0 ? random.nextInt(60_000) : 50 + random.nextInt(500);
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }

    // --- messages ---

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        Topic topic = new Topic("channel", wakeup);
        topics.add(topic);
        runtime.after(delayNanos(), () -> {
            if (!topic.closed) {
                topic.confirm();
            }
        });
        return () -> {
            topic.closed = true;
            topics.remove(topic);
        };
    }

    /** One in ten messages is lost. */
    private void tell(Topic topic) {
        if (random.nextInt(10) > 0) {
            runtime.after(delayNanos(), () -> {
                if (!topic.closed) {
                    topic.publish();
                }
            });
        }
    }

    // --- the rest ---

    @Override
    public Object shard(int slot) {
        return this;
    }

    @Override
    public ServerRun run() {
        return down ? ServerRun.UNKNOWN : node.run;
    }

    @Override
    public void listen(NodeListener listener) {
        listeners.add(listener);
        listener.up(node.name, node.run);
    }

    @Override
    public ManualRuntime runtime() {
        return runtime;
    }

    @Override
    public String describe() {
        return node.name;
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        return CompletableFuture.completedFuture(null);
    }
}
