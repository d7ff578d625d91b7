package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of lock says to a store, and what its holds exclude. Where a step goes is another matter: to one store, or
 * to several of which a majority decides. A kind has no state of any lock: one serves all locks of a client.
 *
 * <p>Kinds whose locks are kept in one state on the server share the lock's cell: a plain and a shared lock of one name are
 * one lock. A call and its hold carry the kind.
 *
 * <p>Every step may be repeated with the same arguments and then has the same effect. Each {@link Verb} says what its
 * script answers.
 */
public interface LockKind {

    // --- what a store is told ---

    Script script(Verb verb);

    /** Writes keys and arguments of {@link Verb#ACQUIRE}. */
    void writeAcquire(LockKeys lock, Fields fields, Asker asker, byte[] field, Args out);

    /** Writes keys and arguments of {@link Verb#REENTER}. */
    void writeReenter(LockKeys lock, Fields fields, byte[] field, int count, long leaseMillis, Args out);

    /** Writes keys and arguments of {@link Verb#LOWER}. */
    void writeLower(LockKeys lock, Fields fields, byte[] field, int count, Args out);

    /** Writes keys and arguments of {@link Verb#RELEASE}: of a final release, or an undo. */
    void writeRelease(LockKeys lock, Fields fields, byte[] field, Args out);

    /**
     * Writes keys and arguments of {@link Verb#TRANSFER}.
     *
     * @param tokens how many tokens are put by; 1 if the lock is not to be handed on without asking
     */
    void writeTransfer(LockKeys lock, Fields fields, byte[] from, byte[] to, long leaseMillis, int tokens, Args out);

    /** Writes the keys of one hold for {@link Verb#RENEW}; the keys of all holds come before the first argument. */
    void writeRenewKeys(LockKeys lock, Args out);

    /** Writes the arguments of one hold for {@link Verb#RENEW}. */
    void writeRenew(Fields fields, byte[] field, long leaseMillis, Args out);

    /** Writes keys and arguments of {@link Verb#FORCE}. */
    void writeForce(LockKeys lock, Args out);

    /** Writes keys and arguments of {@link Verb#PROPOSE}. */
    void writePropose(LockKeys lock, Fields fields, Proposal proposal, Args out);

    /** Writes keys and arguments of {@link Verb#ADOPT}. */
    void writeAdopt(LockKeys lock, Fields fields, byte[] field, long token, Args out);

    /** Writes keys and arguments of {@link Verb#JOIN}. */
    void writeJoin(LockKeys lock, Fields fields, byte[] field, int count, long leaseMillis, long token, Args out);

    /**
     * The same in steps with one key each, for a slot that is being moved (rule 120); none if the verb names one key anyway, or has to
     * wait until the move ends. The last step answers for all.
     */
    default List<KeyStep> keyByKey(Verb verb) {
        return List.of();
    }

    // --- how its calls wait ---

    /**
     * Whether its waiting calls have places in a queue at the server: then each asks for itself when it comes, keeps its field,
     * and leaves when it goes.
     */
    default boolean queues() {
        return false;
    }

    /** As which kind a call that waits takes a place in a queue that the server keeps for others; null if it takes none. */
    default @Nullable LockKind inQueue() {
        return null;
    }

    /** As which kind a call goes on that is denied a place which is not its own kind's; null if it has none of those. */
    default @Nullable LockKind outOfQueue() {
        return null;
    }

    /** Whether its clients take turns by reservation: whose turn it is, is said at the server, and by its messages. */
    default boolean takesTurns() {
        return false;
    }

    /** In whose words a client of this distance gives back what it got of too few nodes, while its call goes on waiting. */
    default LockKind givingWay(int distance) {
        return this;
    }

    /** In whose words a turn of such a client ends while more of its calls wait. */
    default LockKind endingTurn(int distance) {
        return this;
    }

    /** What serves its locks at a server whose user may not use the keys of turns. */
    default LockKind withoutTurns() {
        return this;
    }

    // --- what its holds are ---

    /** As what users see its holds, and its waiting calls. */
    HoldKind holdKind();

    /** Whether the store knows how often an owner has taken the lock; if not, a re-entry just raises the lease. */
    default boolean isCounted() {
        return true;
    }

    /** Whether a lock of this kind can be moved from one field to another in one step, where one store keeps it. */
    boolean isTransferable();

    /** Whether a hold of this kind and one of the other can't be there at the same time, if their owners differ. */
    boolean excludes(LockKind other);

    /**
     * Whether a hold of this kind gives its owner all that one of the other kind would. Then a call of the owner for the
     * other kind is a re-entry; else it is refused, since the owner would wait for itself.
     */
    boolean includes(LockKind other);

    /**
     * Whether an owner has a hold of its own of this kind, beside one that excludes all other owners: then its call for this kind
     * is no re-entry of the other hold.
     */
    default boolean isApart() {
        return false;
    }

    /** Whether a release names none of them: any thread of the client gives back one, and owes one for each that was lost (rule 123). */
    default boolean isAnonymous() {
        return false;
    }

    /** Whether {@link Verb#FORCE} of this kind ends a hold of the other one. */
    default boolean frees(LockKind other) {
        return true;
    }

    /**
     * As which kind several nodes keep a lock of this one, of which a majority decides; null if they can't.
     *
     * <p>It is another where one store keeps an order.
     */
    default @Nullable LockKind overNodes() {
        return this;
    }

    /**
     * The kind as which a hold goes on beside which its owner asks for one that is apart. It is the same lock; what frees it leaves
     * the other hold alone.
     */
    default LockKind besideAnother() {
        return this;
    }
}
