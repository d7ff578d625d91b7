package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A store in memory that answers before the call returns, on the thread that calls: all that is concurrent is the engine.
 * It knows the scripts that take, enter again and release. Time stands still in it, no timer is ever due, and what is to
 * run elsewhere runs here.
 *
 * <p>The tests of this module, the tests under jcstress and the benchmarks each compile it with their own sources, and
 * override what is different there.
 */
public class InstantStore implements Backend, Runtime, Blocker {

    private static final Timer NEVER = () -> {};

    /** The field of each lock that is held. */
    private final Map<String, String> fields = new HashMap<>();

    private long tokens;

    @Override
    public void send(ScriptCall call) {
        List<String> words = words(call);
        call.beginWriting();
        call.onReply(ScriptedReply.of(answer(call.script.name(), words.get(0), words.subList(1, words.size()))));
    }

    private synchronized Object answer(String script, String lock, List<String> args) {
        String field = fields.getOrDefault(lock, "");
        boolean own = field.equals(args.get(0));
        switch (script) {
            case "acquire":
                if (!field.isEmpty() && !own) {
                    return List.of(0L, 30_000L, 0L, field);
                }
                if (!own) {
                    fields.put(lock, args.get(0));
                    tokens++;
                }
                return List.of(1L, tokens, 0L);
            case "reenter":
                return own ? 1L : 0L;
            case "release":
                if (own && args.get(1).equals("0")) {
                    fields.remove(lock);
                }
                return own ? List.of(1L, 0L) : List.of(0L, 0L);
            default:
                throw new IllegalStateException("script " + script);
        }
    }

    /** The lock's key, then the arguments. */
    private static List<String> words(ScriptCall call) {
        List<String> words = new ArrayList<>();
        call.encode(new Args() {
            @Override
            public Args key(byte[] key) {
                // A second key is that of the tokens.
                return words.isEmpty() ? arg(key) : this;
            }

            @Override
            public Args arg(byte[] value) {
                words.add(new String(value, StandardCharsets.UTF_8));
                return this;
            }

            @Override
            public Args arg(long value) {
                words.add(Long.toString(value));
                return this;
            }
        });
        return words;
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        return () -> {};
    }

    @Override
    public Object shard(int slot) {
        return this;
    }

    @Override
    public ServerRun run() {
        return ServerRun.UNKNOWN;
    }

    @Override
    public void listen(NodeListener listener) {}

    @Override
    public Runtime runtime() {
        return this;
    }

    @Override
    public String describe() {
        return "instant";
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        return CompletableFuture.completedFuture(null);
    }

    // --- time and threads ---

    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        return NEVER;
    }

    @Override
    public long random(long bound) {
        return 0;
    }

    @Override
    public Executor steps() {
        return Runnable::run;
    }

    @Override
    public Executor callbacks() {
        return Runnable::run;
    }

    @Override
    public Blocker blocker() {
        return this;
    }

    // --- waiting ---

    @Override
    public boolean mayWait() {
        return false;
    }

    @Override
    public void await(Awaited awaited) {
        if (!awaited.isDone()) {
            throw new IllegalStateException("a caller waits, though every answer comes at once");
        }
    }

    @Override
    public void unblock(Thread thread) {}
}
