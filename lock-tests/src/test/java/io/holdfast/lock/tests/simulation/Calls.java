package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.tests.simulation.SimulatedThread.AbandonedException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How operations begin, wait and end: what everybody who uses a lock has in common. */
final class Calls {

    final World world;
    final Referee referee;
    final UserCode userCode;
    final long commandNanos;

    Calls(World world, Referee referee, long commandNanos) {
        this.world = world;
        this.referee = referee;
        this.userCode = new UserCode(world);
        this.commandNanos = commandNanos;
    }

    // --- how they begin ---

    Call begin(SimulatedClient client, int lock, String owner, String what, long waitNanos) {
        long bound = waitNanos == Call.UNLIMITED ? Call.UNLIMITED : Math.max(0, waitNanos) + commandNanos;
        Call call = new Call(client, lock, owner, what + " lock " + lock, waitNanos, bound);
        call.alone = referee.ending.open().stream()
                        .noneMatch(other -> other.client == client && other.lock == lock && other.wantsLock())
                && !referee.believesHeld(call);
        referee.ending.began(call);
        if (call.wantsLock()) {
            referee.chronicle.wants(call);
        }
        if (world.isTraced()) {
            world.note(client.name, "calls: " + call.what);
        }
        return call;
    }

    // --- how they wait ---

    /** An asynchronous call: what is to be done with its result. */
    <T> void when(Call call, CompletionStage<T> stage, Consumer<T> then) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        call.future = future;
        future.whenComplete((value, failure) -> {
            if (!call.cancelled) {
                userCode.calledBack(call.what, call.client.lock(call.lock));
            }
            over(call, failure);
            if (failure == null) {
                guarded(() -> then.accept(value));
            }
        });
    }

    /** A future would keep to itself what goes wrong in here. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error bug) {
            world.fail(bug instanceof Violation broken ? broken.checker : "ERR", "within a callback: " + bug);
        }
    }

    /** What blocks, as a thread would write it. */
    interface Blocking<T> {

        T call() throws InterruptedException;
    }

    /** Makes a blocking call; null if it failed, was interrupted, or the process crashed around it. */
    <T> @Nullable T run(Call call, boolean interrupted, Blocking<T> body) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            T result = body.call();
            over(call, null);
            return result;
        } catch (AbandonedException crashed) {
            return null;
        } catch (InterruptedException ended) {
            over(call, null);
            referee.chronicle.failed(call, ended);
            leftOpen(call);
            return null;
        } catch (RuntimeException failure) {
            over(call, failure);
            return null;
        } finally {
            Thread.interrupted();
        }
    }

    // --- how they end ---

    void refused(Call call) {
        referee.refused(call);
    }

    void over(Call call, @Nullable Throwable failure) {
        if (call.over || call.client.isCrashed()) {
            return;
        }
        referee.ending.ended(call, call.runningNanos());
        if (world.isTraced()) {
            world.note(call.client.name, "ended: " + call.what + (failure == null ? "" : ": " + failure));
        }
        boolean typed = failure == null
                || failure instanceof LockFailure
                || (failure instanceof CancellationException && call.cancelled);
        if (!typed) {
            world.fail("ERR", call + ": ended with " + failure);
        }
        if (failure != null) {
            referee.chronicle.failed(call, failure);
            referee.failed(call, failure);
        }
        if (failure instanceof LockOutcomeUnknownException || failure instanceof CancellationException) {
            leftOpen(call);
        }
    }

    /** What became of a call is not known: the owner's count may be one more than he was told, until his next step. */
    private void leftOpen(Call call) {
        Claim claim = call.owner.isEmpty() ? null : referee.ofOwner(call.lock, call.owner);
        if (claim != null) {
            claim.certain = false;
        }
    }
}
