package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockedAction;
import io.holdfast.lock.LockedTask;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Locked} does, without annotation or proxy: reentrant with it, and within transactions as it is. Immutable; one
 * serves a whole application.
 *
 * <pre>{@code
 * locks.waitFor(Duration.ofSeconds(2)).run("order:" + id, hold -> ship(id, hold.fencingToken()));
 * }</pre>
 *
 * <p>Each call throws {@link LockTimeoutException} if the lock is not granted in time, {@link LockInterruptedException} if the
 * thread is interrupted meanwhile, and {@link LockLostException} if the lock was lost before the task ended. For publishers
 * there is {@link ReactiveLockTemplate}.
 */
public final class LockTemplate {

    private record Terms(
            Kind kind,
            String name,
            Duration waitFor,
            @Nullable Duration lease,
            @Nullable Duration atLeast,
            OnLost onLost,
            Release release) {}

    private final Supplier<LockClient> client;
    private final BlockingCall blocking;
    private final Terms terms;

    /** One that waits for ten seconds at most. */
    public LockTemplate(LockClient client) {
        this(client, DurationText.DEFAULT_WAIT);
    }

    /** @param waitFor how long calls wait that do not say, from zero to a year */
    public LockTemplate(LockClient client, Duration waitFor) {
        this(() -> client, waitFor);
        Objects.requireNonNull(client, "client");
    }

    LockTemplate(Supplier<LockClient> client, Duration waitFor) {
        this(
                client,
                BlockingCall.create(),
                new Terms(
                        Kind.PLAIN,
                        "",
                        DurationText.within("waitFor", waitFor, Duration.ZERO),
                        null,
                        null,
                        OnLost.THROW,
                        Release.AFTER_TRANSACTION));
    }

    private LockTemplate(Supplier<LockClient> client, BlockingCall blocking, Terms terms) {
        this.client = client;
        this.blocking = blocking;
        this.terms = terms;
    }

    /**
     * The same for locks of another kind.
     *
     * <p>A call throws {@link IllegalStateException} where its key is held as {@link Kind#READ} further out and it wants another kind,
     * and {@link UnsupportedOperationException} if the client has no locks of this kind.
     */
    public LockTemplate kind(Kind kind) {
        Objects.requireNonNull(kind, "kind");
        return with(
                new Terms(kind, terms.name, terms.waitFor, terms.lease, terms.atLeast, terms.onLost, terms.release));
    }

    /** The same with another wait; zero is one attempt. */
    public LockTemplate waitFor(Duration waitFor) {
        Duration checked = DurationText.within("waitFor", waitFor, Duration.ZERO);
        return with(
                new Terms(terms.kind, terms.name, checked, terms.lease, terms.atLeast, terms.onLost, terms.release));
    }

    /** The same with a fixed lease, which is not renewed. */
    public LockTemplate lease(Duration lease) {
        Duration checked = DurationText.within("lease", lease, LockOptions.MIN_LEASE);
        return with(
                new Terms(terms.kind, terms.name, terms.waitFor, checked, terms.atLeast, terms.onLost, terms.release));
    }

    /** The same for locks that are kept for so long at least, as {@link Locked#atLeast} says. */
    public LockTemplate atLeast(Duration atLeast) {
        Duration checked = DurationText.within("atLeast", atLeast, LockOptions.MIN_LEASE);
        return with(
                new Terms(terms.kind, terms.name, terms.waitFor, terms.lease, checked, terms.onLost, terms.release));
    }

    /** The same with another name for {@link LockAssert} and messages. */
    public LockTemplate name(String name) {
        Objects.requireNonNull(name, "name");
        return with(
                new Terms(terms.kind, name, terms.waitFor, terms.lease, terms.atLeast, terms.onLost, terms.release));
    }

    /** The same with something else to do about losses. */
    public LockTemplate onLost(OnLost onLost) {
        Objects.requireNonNull(onLost, "onLost");
        return with(
                new Terms(terms.kind, terms.name, terms.waitFor, terms.lease, terms.atLeast, onLost, terms.release));
    }

    /** The same with another time of release within transactions. */
    public LockTemplate release(Release release) {
        Objects.requireNonNull(release, "release");
        return with(
                new Terms(terms.kind, terms.name, terms.waitFor, terms.lease, terms.atLeast, terms.onLost, release));
    }

    private LockTemplate with(Terms changed) {
        if (changed.lease != null && changed.atLeast != null && changed.atLeast.compareTo(changed.lease) > 0) {
            throw new IllegalArgumentException("atLeast: " + Durations.of(changed.atLeast)
                    + " (expected: no more than the lease, " + Durations.of(changed.lease) + ")");
        }
        return new LockTemplate(client, blocking, changed);
    }

    /** Runs an action while holding a lock. */
    public <X extends Exception> void run(String key, LockedAction<X> action) throws X {
        run(List.of(key), action);
    }

    /** Runs an action while holding several locks, which are taken together. */
    public <X extends Exception> void run(Collection<String> keys, LockedAction<X> action) throws X {
        this.<@Nullable Object, X>call(keys, hold -> {
            action.run(hold);
            return null;
        });
    }

    /** As {@link #run(String, LockedAction)}, with a result, which is there when the task returns. */
    public <T extends @Nullable Object, X extends Exception> T call(String key, LockedTask<T, X> task) throws X {
        return call(List.of(key), task);
    }

    /** As {@link #run(Collection, LockedAction)}, with a result, which is there when the task returns. */
    @SuppressWarnings({"unchecked", "NullAway"}) // A T may be null.
    public <T extends @Nullable Object, X extends Exception> T call(Collection<String> keys, LockedTask<T, X> task)
            throws X {
        Objects.requireNonNull(task, "task");
        Work work = work(keys, hold -> {
            T result = task.call(hold);
            if (result != null && ResultKind.comesLater(result)) {
                throw new IllegalStateException("a result that comes later, a "
                        + Printable.of(result.getClass().getName())
                        + " (expected: callAsync, or a ReactiveLockTemplate)");
            }
            return result;
        });
        try {
            return (T) blocking.run(work);
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Throwable thrown) {
            throw (X) thrown;
        }
    }

    /**
     * Takes the lock without blocking, and holds it until the stage of the task has completed. The task runs on a thread that may
     * block. To cancel the future cancels that stage.
     */
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            String key, Function<? super LockHold, ? extends CompletionStage<T>> task) {
        return callAsync(List.of(key), task);
    }

    /** As {@link #callAsync(String, Function)}, with several locks, which are taken together. */
    @SuppressWarnings("unchecked")
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Collection<String> keys, Function<? super LockHold, ? extends CompletionStage<T>> task) {
        Objects.requireNonNull(task, "task");
        return (CompletableFuture<T>) (CompletableFuture<?>) StageCall.start(work(keys, task::apply));
    }

    Work work(Collection<String> keys, LockedTask<? extends @Nullable Object, ? extends Exception> task) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("keys: none (expected: at least one)");
        }
        List<String> distinct = LockPlan.checked("keys", new LinkedHashSet<>(keys));
        String caller = terms.name.isEmpty() ? "a LockTemplate" : terms.name;
        LockRequest request = new LockRequest(
                client.get(), distinct, terms.kind, terms.name, terms.waitFor, terms.lease, terms.atLeast, caller);
        return new TemplateWork(request, task, terms.onLost, terms.release == Release.AFTER_TRANSACTION);
    }

    private record TemplateWork(
            LockRequest request,
            LockedTask<? extends @Nullable Object, ? extends Exception> task,
            OnLost onLost,
            boolean staysInTransaction)
            implements Work {

        @Override
        public @Nullable Object run(Grip grip) throws Throwable {
            return task.call(grip.lent());
        }

        @Override
        public @Nullable Object refused(LockTimeoutException failure) {
            throw failure;
        }

        @Override
        public @Nullable Object unavailable(LockException failure) {
            throw failure;
        }

        @Override
        public boolean declaresInterruption() {
            return false;
        }
    }
}
