package io.holdfast.lock.memory;

import io.holdfast.lock.memory.script.ScriptArgs;
import io.holdfast.lock.memory.script.ScriptReply;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.ConnectionListener;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.luaj.vm2.LuaString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store in memory as one client sees it. A call is answered before {@link #send} returns, on the thread that calls. */
final class MemoryBackend implements Backend {

    private static final Logger log = LoggerFactory.getLogger(MemoryBackend.class);

    private final MemoryStore store;
    private final MemoryRuntime runtime;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean closing;

    MemoryBackend(MemoryStore store, MemoryRuntime runtime) {
        this.store = store;
        this.runtime = runtime;
    }

    @Override
    public void send(ScriptCall call) {
        if (closing) {
            fail(call, new Fault(Fault.Kind.CLOSED, false, describe(), "the client is closed"));
        } else if (!call.beginWriting()) {
            fail(call, new Fault(Fault.Kind.UNREACHABLE, false, describe(), "taken back before it was sent"));
        } else {
            call.run = run();
            answer(call);
        }
    }

    private void answer(ScriptCall call) {
        ScriptReply reply;
        try {
            ScriptArgs words = new ScriptArgs();
            call.encode(words);
            reply = store.answer(call.script, words);
        } catch (Refusal refusal) {
            fail(call, refusal.fault(describe()));
            return;
        } catch (RuntimeException | Error bug) {
            log.error("script {} failed", call.script, bug);
            fail(call, new Fault(Fault.Kind.SERVER_ERROR, true, describe(), "a defect of this store: " + bug));
            return;
        }
        try {
            call.onReply(reply);
        } catch (UnexpectedReplyException unexpected) {
            fail(call, new Fault(Fault.Kind.PROTOCOL, true, describe(), String.valueOf(unexpected.getMessage())));
        } catch (RuntimeException | Error bug) {
            log.error("the answer of script {} could not be used", call.script, bug);
        }
    }

    private static void fail(ScriptCall call, Fault fault) {
        try {
            call.onFault(fault);
        } catch (RuntimeException | Error bug) {
            log.error("the failure of script {} could not be told", call.script, bug);
        }
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        ChannelEar ear = new ChannelEar(LuaString.valueUsing(channel), wakeup);
        synchronized (store) {
            if (!closing) {
                store.subscribe(ear.channel, ear);
            }
        }
        soon(ear::ready);
        return ear;
    }

    /** Runs a step on the store's thread; not any more when all of its clients are closed. */
    private void soon(Runnable step) {
        try {
            runtime.steps().execute(step);
        } catch (RejectedExecutionException closedMeanwhile) {
            log.debug("{}: closed, and a step was left", this);
        }
    }

    @Override
    public Object shard(int slot) {
        return store;
    }

    @Override
    public ServerRun run() {
        return store.run();
    }

    @Override
    public void listen(NodeListener listener) {
        // At once, as a connection is there before a client is: the engine asks then for every hold that it has.
        listener.up(describe(), run());
    }

    @Override
    public void listenToConnections(ConnectionListener listener) {
        soon(() -> listener.up(NodeConnection.Use.COMMANDS, describe(), null));
    }

    /** A call needs none; so that a look at the client shows where it leads, there is one. */
    @Override
    public List<NodeConnection> connections() {
        return List.of(new NodeConnection(describe(), NodeConnection.Use.COMMANDS, !closing, 0));
    }

    @Override
    public Runtime runtime() {
        return runtime;
    }

    @Override
    public String describe() {
        return store.address();
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        boolean first;
        synchronized (this) {
            first = !closing;
            closing = true;
        }
        if (first) {
            store.left(this).whenComplete((nothing, failure) -> closed.complete(null));
        }
        return closed;
    }

    @Override
    public String toString() {
        return Printable.of(describe());
    }

    /** A subscription to a channel. */
    private final class ChannelEar implements Subscription, Channels.Subscriber {

        private final LuaString channel;
        private final Wakeup wakeup;
        private volatile boolean over;

        ChannelEar(LuaString channel, Wakeup wakeup) {
            this.channel = channel;
            this.wakeup = wakeup;
        }

        void ready() {
            if (!over) {
                wakeup.ready();
            }
        }

        @Override
        public Object connection() {
            return MemoryBackend.this;
        }

        /** Called within the store: what hears it must not run there. */
        @Override
        public void message(String text) {
            soon(() -> {
                if (!over) {
                    wakeup.message(text);
                }
            });
        }

        @Override
        public void close() {
            over = true;
            store.unsubscribe(channel, this);
        }
    }
}
