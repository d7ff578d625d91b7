package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Leases;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.LockNames;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.HoldHandle;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A store that answers nothing, in which time stands still; and holds that it has granted. */
final class SilentStore implements Backend {

    static final long TOKEN = 42;

    private static final LockNames NAMES = LockNames.of("stock", LockOptions.defaults());

    /** A hold that was granted and handed out, of a lock that nobody else wants. */
    static Hold grantedHold() {
        Engine engine = new Engine(List.of(new SilentStore()), true, ClientOptions.defaults(), null, "c");
        Store store = engine.facts().stores().get(0);
        Leases leases = StoreLease.granted(store, 0, 30_000);
        Hold hold = new Hold(
                engine.cells().cell(NAMES),
                Reentrant.KIND,
                new Owner(1, true),
                LockOptions.defaults(),
                new byte[0],
                TOKEN,
                leases,
                30_000,
                true,
                null,
                null,
                0);
        hold.markHandedOut(true);
        return hold;
    }

    /** The hold as its user sees it. Nothing is done with it, so that it needs no operations. */
    @SuppressWarnings("NullAway")
    static HoldHandle handle(Hold hold) {
        return new HoldHandle(hold, null);
    }

    @Override
    public void send(ScriptCall call) {
        call.beginWriting();
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
        return StandingTime.INSTANCE;
    }

    @Override
    public String describe() {
        return "silent";
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        return CompletableFuture.completedFuture(null);
    }

    /** No timer is ever due, and whatever is to run elsewhere runs here. */
    private static final class StandingTime implements Runtime {
        static final StandingTime INSTANCE = new StandingTime();

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public Timer after(long nanos, Runnable step) {
            return () -> {};
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
            return new Blocker() {
                @Override
                public boolean mayWait() {
                    return false;
                }

                @Override
                public void await(Awaited awaited) {
                    throw new IllegalStateException("nobody waits here");
                }

                @Override
                public void unblock(Thread thread) {}
            };
        }
    }
}
