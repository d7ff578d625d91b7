package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A store that grants everything at once, on the calling thread: what is left is what the engine itself takes. */
public final class InstantBackend implements Backend, Runtime, Blocker, Reply {

    private static final Timer NEVER = () -> {};

    private long tokens;

    @Override
    public void send(ScriptCall call) {
        tokens++;
        call.beginWriting();
        call.onReply(this);
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

    // --- runtime ---

    @Override
    public long nanos() {
        return System.nanoTime();
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

    // --- blocker: everything has happened before anybody could wait ---

    @Override
    public boolean mayWait() {
        return true;
    }

    @Override
    public void await(Awaited awaited) {
        if (!awaited.isDone()) {
            throw new IllegalStateException("somebody waits, though every answer comes at once");
        }
    }

    @Override
    public void unblock(Thread thread) {}

    // --- reply: {1, token} ---

    @Override
    public int size() {
        return 2;
    }

    @Override
    public long integer() {
        return 1;
    }

    @Override
    public long integer(int index) {
        return index == 0 ? 1 : tokens;
    }

    @Override
    public String text() {
        return "1";
    }

    @Override
    public String text(int index) {
        return Long.toString(integer(index));
    }

    @Override
    public Reply get(int index) {
        return this;
    }

    @Override
    public boolean isNull() {
        return false;
    }
}
