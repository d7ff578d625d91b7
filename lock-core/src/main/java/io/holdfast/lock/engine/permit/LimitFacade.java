package io.holdfast.lock.engine.permit;

import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.key.Named;
import java.util.function.Consumer;

/** What all semaphores tell of their permits, and how their limit is changed. */
abstract class LimitFacade {

    final ClientFacts facts;
    /** The semaphore, for messages. */
    final Named named;

    final Limit limit;

    LimitFacade(ClientFacts facts, Named named, Limit limit) {
        this.facts = facts;
        this.named = named;
        this.limit = limit;
    }

    public final String getName() {
        return named.name();
    }

    // --- how many there are ---

    public final int availablePermits() {
        return limit.look(SemaphoreState::available, this.<Integer>parked("availablePermits"))
                .await();
    }

    public final RFuture<Integer> availablePermitsAsync() {
        return this.<Integer>later(result -> limit.look(SemaphoreState::available, result));
    }

    public final int acquiredPermits() {
        return limit.look(state -> (int) state.taken(), this.<Integer>parked("acquiredPermits"))
                .await();
    }

    public final RFuture<Integer> acquiredPermitsAsync() {
        return this.<Integer>later(result -> limit.look(state -> (int) state.taken(), result));
    }

    public final int getPermits() {
        return limit.look(state -> (int) state.limit(), this.<Integer>parked("getPermits"))
                .await();
    }

    public final RFuture<Integer> getPermitsAsync() {
        return this.<Integer>later(result -> limit.look(state -> (int) state.limit(), result));
    }

    public final boolean trySetPermits(int permits) {
        return limit.setIfNone(permits, this.<Boolean>parked("trySetPermits")).await();
    }

    public final RFuture<Boolean> trySetPermitsAsync(int permits) {
        return this.<Boolean>later(result -> limit.setIfNone(permits, result));
    }

    public final void setPermits(int permits) {
        limit.set(permits, this.<Done>parked("setPermits")).await();
    }

    public final RFuture<Void> setPermitsAsync(int permits) {
        return doneLater(result -> limit.set(permits, result));
    }

    public final void addPermits(int permits) {
        limit.add(permits, this.<Done>parked("addPermits")).await();
    }

    public final RFuture<Void> addPermitsAsync(int permits) {
        return doneLater(result -> limit.add(permits, result));
    }

    final <T> Parked<T> parked(String method) {
        return new Parked<>(facts.runtime().blocker(), method + " on " + named);
    }

    final <T> RFuture<T> later(Consumer<Pending<T>> asks) {
        Promise<T, T> promise = Promise.of(facts.callbacks());
        asks.accept(promise);
        return promise.future();
    }

    final RFuture<Void> doneLater(Consumer<Pending<Done>> asks) {
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        asks.accept(promise);
        return promise.future();
    }

    @Override
    public String toString() {
        return named.toString();
    }
}
