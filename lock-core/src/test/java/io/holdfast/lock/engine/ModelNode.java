package io.holdfast.lock.engine;

import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server in a few lines: what the scripts do, for one lock, with expiry and a wall clock of its own. */
final class ModelNode {
    final String name;
    private final ManualRuntime runtime;
    private final long epochMicros;

    /** Told of every release of the lock. */
    final List<Consumer<ModelNode>> listeners = new ArrayList<>();

    ServerRun run;
    private @Nullable String marker;
    private long lastToken;
    private final Map<String, Long> counts = new HashMap<>();
    private long token;
    private long expiresNanos;

    ModelNode(ManualRuntime runtime, String name, long epochMicros, long upSinceNanos) {
        this.runtime = runtime;
        this.name = name;
        this.epochMicros = epochMicros;
        this.run = new ServerRun(name + "1", upSinceNanos);
    }

    /** The process ends, another one begins, and nothing is remembered. */
    void restart() {
        run = new ServerRun(name + (Integer.parseInt(run.id().substring(1)) + 1), runtime.nanos());
        marker = null;
        lastToken = 0;
        counts.clear();
    }

    /** The fields that are there. */
    List<String> fields() {
        expire();
        return List.copyOf(counts.keySet());
    }

    /** Runs a script and says what it answers. */
    Object[] run(Sent call) {
        expire();
        List<String> args = call.args;
        return switch (call.script()) {
            case "propose" -> propose(args.get(0), number(args, 1), number(args, 3), number(args, 4));
            case "adopt" -> answer(adopt(args.get(0), number(args, 1)));
            case "join" -> join(args.get(0), number(args, 1), number(args, 2), number(args, 4));
            case "reenter" -> answer(reenter(args.get(0), number(args, 1), number(args, 2)));
            case "release" -> release(args.get(0), number(args, 1));
            case "renew" -> answer(renew(args.get(0), number(args, 1)));
            case "mark" -> mark(args.get(0));
            case "marked" -> new Object[] {marker};
            default -> throw new IllegalArgumentException("not in this model: " + call);
        };
    }

    private Object[] propose(String field, long leaseMillis, long proposal, long aheadMicros) {
        long now = micros();
        if (counts.isEmpty()) {
            boolean taken = proposal > lastToken && proposal >= now && proposal <= now + aheadMicros;
            token = taken ? proposal : Math.max(lastToken + 1, now);
            lastToken = token;
            counts.put(field, 1L);
            expiresNanos = runtime.nanos();
        }
        if (counts.containsKey(field)) {
            raise(leaseMillis);
            return new Object[] {1L, token, now};
        }
        long left = TimeUnit.NANOSECONDS.toMillis(expiresNanos - runtime.nanos());
        return new Object[] {0L, left, now, counts.keySet().iterator().next()};
    }

    private boolean adopt(String field, long adopted) {
        if (!counts.containsKey(field)) {
            return false;
        }
        lastToken = Math.max(lastToken, adopted);
        token = adopted;
        return true;
    }

    private Object[] join(String field, long count, long leaseMillis, long holdsToken) {
        if (!counts.isEmpty() && !counts.containsKey(field)) {
            return new Object[] {0L, TimeUnit.NANOSECONDS.toMillis(expiresNanos - runtime.nanos())};
        }
        if (counts.isEmpty()) {
            expiresNanos = runtime.nanos();
        }
        counts.put(field, count);
        raise(leaseMillis);
        token = holdsToken;
        lastToken = Math.max(lastToken, holdsToken);
        return new Object[] {1L, 0L};
    }

    private boolean reenter(String field, long count, long leaseMillis) {
        return renew(field, leaseMillis) && counts.put(field, count) != null;
    }

    private boolean renew(String field, long leaseMillis) {
        if (!counts.containsKey(field)) {
            return false;
        }
        raise(leaseMillis);
        return true;
    }

    private Object[] release(String field, long count) {
        if (!counts.containsKey(field)) {
            return new Object[] {0L, 0L};
        }
        if (count > 0) {
            counts.put(field, count);
            return new Object[] {1L, 0L};
        }
        counts.clear();
        listeners.forEach(told -> told.accept(this));
        return new Object[] {1L, (long) listeners.size()};
    }

    private Object[] mark(String runId) {
        marker = marker == null ? runId : marker;
        return new Object[] {marker};
    }

    private void raise(long leaseMillis) {
        expiresNanos = Math.max(expiresNanos, runtime.nanos() + TimeUnit.MILLISECONDS.toNanos(leaseMillis));
    }

    private void expire() {
        if (!counts.isEmpty() && expiresNanos <= runtime.nanos()) {
            counts.clear();
        }
    }

    private long micros() {
        return epochMicros + TimeUnit.NANOSECONDS.toMicros(runtime.nanos());
    }

    private static Object[] answer(boolean yes) {
        return new Object[] {yes ? 1L : 0L};
    }

    private static long number(List<String> args, int index) {
        return Long.parseLong(args.get(index));
    }
}
