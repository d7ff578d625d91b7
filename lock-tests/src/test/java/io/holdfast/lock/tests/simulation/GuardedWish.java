package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.tests.simulation.FamilyOwners.Form;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** As what a client with the failover guard wants a name. */
enum GuardedWish {
    PLAIN,
    FAIR,
    READ,
    WRITE,
    ELECTION,
    PERMIT;

    private static final byte[] VALUE = {1};

    /** Asks for it; a lease of zero is one that is renewed. Elections have no other. */
    CompletableFuture<? extends Optional<? extends LockHold>> ask(
            LockClient client, String name, Duration wait, Duration lease) {
        return switch (this) {
            case PLAIN -> acquire(Form.PLAIN.of(client, name), wait, lease);
            case FAIR -> acquire(Form.FAIR.of(client, name), wait, lease);
            case READ -> acquire(Form.READ.of(client, name), wait, lease);
            case WRITE -> acquire(Form.WRITE.of(client, name), wait, lease);
            case ELECTION ->
                client.getElection(name).campaignAsync(client.id(), VALUE, wait).toCompletableFuture();
            case PERMIT -> permit(client.getPermitExpirableSemaphore(name), wait, lease);
        };
    }

    private static CompletableFuture<Optional<LockHold>> acquire(RLock lock, Duration wait, Duration lease) {
        return (lease.isZero() ? lock.tryAcquireAsync(wait) : lock.tryAcquireAsync(wait, lease)).toCompletableFuture();
    }

    /** Of a semaphore with one permit. A server that has lost its data has lost the limit too, so it is set each time. */
    private static CompletableFuture<Optional<LockHold>> permit(
            RPermitExpirableSemaphore slots, Duration wait, Duration lease) {
        return slots.trySetPermitsAsync(1)
                .toCompletableFuture()
                .thenCompose(set ->
                        lease.isZero() ? slots.tryAcquireHoldAsync(wait) : slots.tryAcquireHoldAsync(wait, lease));
    }

    /** Whether two owners may have one name as this and as that at once. */
    boolean isBeside(GuardedWish other) {
        return (this == READ && other == READ) || (this == PERMIT) != (other == PERMIT);
    }
}
