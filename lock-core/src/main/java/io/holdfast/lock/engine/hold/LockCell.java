package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.LockKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock in this client: its holds, and the calls that want it.
 *
 * <p>All of it belongs to steps that run within the cell, which is a gate of its own: one at a time, without waiting, and
 * with no code of users. Cells come with the first call for a lock; when nothing is left to remember they rest in
 * {@link Cells}. A client may hold very many locks that no call waits for, so a cell has {@link Waiters} only while there
 * are any.
 */
public final class LockCell extends SerialGate {

    /** What the lock is called: as by its first caller, and once a fenced lock was asked for, as by that. */
    public volatile LockKeys keys;

    public final ClientFacts facts;
    private final Cells cells;
    private final Losses losses;

    // Steps write these; any thread may read them.

    /** Holds that have not ended. */
    private volatile Holds holds = HoldList.NONE;
    /** Lost holds for which releases are still owed, which will tell of them. */
    private volatile Holds lostHolds = HoldList.NONE;
    /** Null while no call wants the lock. */
    private volatile @Nullable Waiters waiters;

    private boolean retired;
    /** How many steps keep this cell; a short has room beside the flag in an object of which there is one for each lock. */
    private short keepers;

    LockCell(ClientFacts facts, Cells cells, Losses losses, LockKeys keys) {
        super(facts.runtime().steps());
        this.facts = facts;
        this.cells = cells;
        this.losses = losses;
        this.keys = keys;
    }

    // --- from any thread ---

    /** The lock is wanted under these names, which may be those of a fenced lock. */
    public void wantedAs(LockKeys wanted) {
        if (wanted.layout.countsTokens() && !keys.layout.countsTokens()) {
            keys = wanted;
        }
    }

    /** The lock: a cell may come in the place of one that was retired. */
    @Override
    public Object subject() {
        return keys;
    }

    public long nanos() {
        return facts.nanos();
    }

    public String node() {
        return facts.node();
    }

    public String ownerText(Owner owner) {
        return facts.ownerText(owner);
    }

    /** How many calls wait for the lock. */
    public int waiters() {
        Waiters present = waiters;
        return present == null ? 0 : present.waiters();
    }

    /** The calls that wait for the lock, in their order. */
    public List<Waiter> waiting() {
        Waiters present = waiters;
        return present == null ? List.of() : present.all();
    }

    /** Holds that have not ended. */
    public Holds holds() {
        return holds;
    }

    /** Lost holds for which releases are still owed. */
    public Holds lostHolds() {
        return lostHolds;
    }

    /** The owner's hold that includes this kind: one that has not ended, else a lost one that it does not know of yet. */
    @Nullable
    public Hold find(Owner owner, LockKind kind) {
        Hold hold = holds.find(owner, kind);
        return hold == null ? lostHolds.find(owner, kind) : hold;
    }

    /** The owner's hold with a level that a MultiLock took: one that has not ended, else a lost one. Within the gate. */
    @Nullable
    public Hold find(Owner owner, LockKind kind, Object taker) {
        Hold hold = holds.find(owner, kind);
        if (hold != null && hold.hasLevelOf(taker)) {
            return hold;
        }
        Hold lost = lostHolds.find(owner, kind);
        return lost != null && lost.hasLevelOf(taker) ? lost : null;
    }

    public LockNotHeldException notHeld(Owner owner) {
        // A hold that is its own owner can't be given back by naming another.
        Hold holder = owner.standalone() ? null : holds.anyAlive();
        return facts.notHeld(keys, owner, holder == null ? null : holder.owner);
    }

    /** A hold was lost. The thread that has latched the loss says so. */
    void lost(Hold hold, LockLoss loss) {
        try {
            losses.lost(hold, loss);
        } finally {
            run(LockCell::afterLoss, this, hold);
        }
    }

    // --- within the gate: calls that want the lock ---

    /** The calls that want the lock; null while there are none. Any thread may look whether there are. */
    @Nullable
    public Waiters wanting() {
        return waiters;
    }

    /** The first call that wants the lock has come. */
    public void wantedBy(Waiters first) {
        waiters = first;
    }

    /** A hold of this client has ended otherwise than by a hand-over. */
    public void holdEnded() {
        Waiters wanting = waiters;
        if (wanting != null) {
            wanting.holdEnded();
        }
    }

    /** The release of a hold of this client has just been sent. */
    public void holdReleased() {
        Waiters wanting = waiters;
        if (wanting != null) {
            wanting.holdReleased();
        }
    }

    // --- within the gate: holds ---

    /** A hold has begun. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void add(Hold hold) {
        holds = holds.with(hold);
    }

    /** A hold has ended. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void remove(Hold hold) {
        holds = holds.without(hold);
        hold.leases.ended();
    }

    /**
     * Stores that grant a lock have no field that excludes the grant: such holds of this client have gone, but for one of the same
     * owner beside which it was granted (rule 54).
     */
    public void loseExcluded(LockKind granted, Owner owner) {
        Holds others = holds;
        for (int i = 0; i < others.size(); i++) {
            Hold other = others.get(i);
            if (other.kind().excludes(granted) && !(granted.isApart() && other.owner.equals(owner))) {
                other.loseAs(other.leases.gone("the server has granted the lock once more"));
            }
        }
    }

    // --- within the gate: losses, and the end ---

    private void afterLoss(Hold hold) {
        LockLoss loss = hold.loss();
        if (loss != null && hold.isDelivered() && !hold.isLossTold()) {
            // It was lost while it was handed out.
            losses.lost(hold, loss);
        }
        remove(hold);
        if (owesRelease(hold) && !facts.isClosed()) {
            Hold older = hold.owner.standalone() ? null : lostHolds.find(hold.owner, hold.kind());
            if (older != null) {
                dropLost(older);
            }
            remember(hold);
        }
        losses.undo(hold);
        holdEnded();
    }

    /** Whether a release is still to come that is told of the loss: of its owner, or for a permit of the client of any thread. */
    private static boolean owesRelease(Hold hold) {
        return hold.isDelivered()
                && hold.count() > 0
                && (!hold.owner.standalone() || hold.kind().isAnonymous());
    }

    /** Keeps a lost hold until a release is told of it. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void remember(Hold hold) {
        lostHolds = lostHolds.with(hold);
        losses.remember(hold);
    }

    /** Keeps this cell until {@link #letGo}, for a loss that may have to be told or remembered here. */
    public void keep() {
        keepers++;
    }

    public void letGo() {
        keepers--;
    }

    /** The owner was told of the loss once for every release that it owed. */
    public void forget(Hold hold) {
        dropLost(hold);
    }

    private void dropLost(Hold hold) {
        lostHolds = lostHolds.without(hold);
        losses.forget(hold);
    }

    /** The client is closed: waiters fail, all holds are lost, and those without a fixed lease are released (rule 38). */
    public void close() {
        Waiters wanting = waiters;
        if (wanting != null) {
            wanting.close();
        }
        Holds open = holds;
        for (int i = 0; i < open.size(); i++) {
            open.get(i).closed();
        }
        Holds untold = lostHolds;
        for (int i = 0; i < untold.size(); i++) {
            dropLost(untold.get(i));
        }
    }

    public boolean isRetired() {
        return retired;
    }

    /** Tells a new head of a queue that it is one, and puts this cell to rest if it has no holds, no lost holds to report and no waiters. */
    @Override
    protected void afterStep() {
        Waiters wanting = waiters;
        if (wanting != null) {
            wanting.stepEnded();
        }
        dropIdleWaiters();
        if (facts.isClosed()) {
            retireIfIdle();
        } else if (!retired && isIdle()) {
            cells.rest(this);
        }
    }

    /** Ends this cell, unless it is in use; calls that come too late go on to a new one. */
    public void retireIfIdle() {
        dropIdleWaiters();
        if (!retired && isIdle()) {
            retired = true;
            cells.remove(this);
        }
    }

    private void dropIdleWaiters() {
        Waiters wanting = waiters;
        Waiters busy = wanting == null ? null : wanting.withoutIdle();
        if (busy != wanting) {
            waiters = busy;
        }
    }

    private boolean isIdle() {
        return keepers == 0 && waiters == null && holds.isEmpty() && lostHolds.isEmpty();
    }
}
