package io.holdfast.lock.engine.call;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What every part of a client may know of it: its id, where its locks are kept, its clock and threads, its bounds, and
 * whether it is closed. Nothing here acts on a lock; a part that does is given to those that need it.
 */
public final class ClientFacts {

    private final List<Store> stores;
    private final String node;
    private final Runtime runtime;
    private final boolean mayFailOver;
    private final ClientOptions options;
    private final @Nullable QuorumOptions quorumOptions;
    private final String clientId;
    private final long commandNanos;
    private final long longestLeaseMillis;
    private final Callbacks callbacks;
    private final Fields fields;
    private final MoveLog moves;
    private final AtomicLong handleNumbers = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable ClientInfo identity;

    /** @param quorumOptions how the nodes of a quorum are treated; null for a single store */
    public ClientFacts(
            List<Store> stores, ClientOptions options, @Nullable QuorumOptions quorumOptions, String clientId) {
        this.stores = stores;
        this.node = nodes(stores);
        this.runtime = stores.get(0).backend().runtime();
        this.mayFailOver = stores.stream().anyMatch(store -> store.backend().mayFailOver());
        this.options = options;
        this.quorumOptions = quorumOptions;
        this.clientId = clientId;
        this.commandNanos = options.commandTimeout().toNanos();
        this.longestLeaseMillis =
                options.failoverGuard().map(Duration::toMillis).orElse(Long.MAX_VALUE);
        this.callbacks = new Callbacks(runtime, options.callbackExecutor());
        this.fields = new Fields(clientId);
        this.moves = new MoveLog(runtime, commandNanos);
    }

    private static String nodes(List<Store> stores) {
        StringJoiner nodes = new StringJoiner(", ");
        for (Store store : stores) {
            nodes.add(store.node());
        }
        return Printable.message(nodes);
    }

    // --- where the locks are ---

    public List<Store> stores() {
        return stores;
    }

    /** The stores, for messages. */
    public String node() {
        return node;
    }

    /** Whether locks are at a server now that another one may replace. */
    public boolean mayFailOver() {
        return mayFailOver;
    }

    public boolean isQuorum() {
        return quorumOptions != null;
    }

    /**
     * Whether plain locks of this client go from client to client by turns. The failover guard has words of its own.
     */
    public boolean takesTurns() {
        return options.failoverGuard().isEmpty();
    }

    /** Whether they are handed on among the calls of this client without asking the server. */
    public boolean handsOn() {
        return options.localHandOver() && takesTurns() && !isQuorum();
    }

    // --- clock, threads and bounds ---

    public Runtime runtime() {
        return runtime;
    }

    public long nanos() {
        return runtime.nanos();
    }

    /** Where code of users runs. */
    public Callbacks callbacks() {
        return callbacks;
    }

    public ClientOptions options() {
        return options;
    }

    /** How long a command may go without an answer. */
    public long commandNanos() {
        return commandNanos;
    }

    /** Where it is said that calls wait for the end of a slot's move. */
    public MoveLog moves() {
        return moves;
    }

    // --- owners ---

    public String clientId() {
        return clientId;
    }

    /** Which process this client is, as its records say; empty while it has none. */
    public Optional<ClientInfo> identity() {
        return Optional.ofNullable(identity);
    }

    /** It is known which process this client is. */
    public void identity(ClientInfo known) {
        identity = known;
    }

    public Fields fields() {
        return fields;
    }

    public Owner newOwner() {
        return Owner.standalone(handleNumbers);
    }

    public String ownerText(Owner owner) {
        return clientId + ':' + owner.text();
    }

    /** A field as stores know it. */
    public String fieldText(byte[] field) {
        return clientId + ':' + new String(field, StandardCharsets.US_ASCII);
    }

    /** A field that was never used and never will be again (rule 1). */
    public byte[] newField(Owner owner) {
        return fields.next(owner);
    }

    /**
     * What an owner is told that gives back what it does not hold.
     *
     * @param holder the owner in this client that holds the lock; null if there is none
     */
    public LockNotHeldException notHeld(LockKeys keys, Owner owner, @Nullable Owner holder) {
        return Failures.notHeld(keys.named(), ownerText(owner), owner, node, holder);
    }

    /**
     * Throws if fencing tokens mean nothing here.
     *
     * @throws IllegalStateException if they are switched off
     */
    public void checkTokens(String lock) {
        checkTokens(new Named("lock", lock));
    }

    /** The same for what may be no lock. */
    public void checkTokens(Named what) {
        if (!hasTokens()) {
            throw new IllegalStateException(what + ": fencing tokens are switched off in its QuorumOptions");
        }
    }

    /** Whether a hold's token is one that a resource can go by. */
    public boolean hasTokens() {
        return quorumOptions == null || quorumOptions.fencing();
    }

    /** The longest lease that the failover guard protects; without one there is no limit. */
    public long longestLeaseMillis() {
        return longestLeaseMillis;
    }

    /**
     * Throws if a lease is longer than the failover guard protects (rule 89).
     *
     * @throws IllegalArgumentException if it is
     */
    public void checkLease(Named what, long leaseMillis) {
        if (leaseMillis > longestLeaseMillis) {
            throw new IllegalArgumentException(what + ": lease: "
                    + Durations.of(Duration.ofMillis(leaseMillis)) + " (expected: at most failoverGuard, "
                    + Durations.of(Duration.ofMillis(longestLeaseMillis)) + ")");
        }
    }

    /** The same for a lock, at each of its calls: its name is put together only where that throws. */
    public void checkLease(LockKeys keys, long leaseMillis) {
        if (leaseMillis > longestLeaseMillis) {
            checkLease(keys.named(), leaseMillis);
        }
    }

    // --- the end ---

    public boolean isClosed() {
        return closed.get();
    }

    /** Says that the client is closed from now on; false if it was before. */
    public boolean close() {
        return closed.compareAndSet(false, true);
    }
}
