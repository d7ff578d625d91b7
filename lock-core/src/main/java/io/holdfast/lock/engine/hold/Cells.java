package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Backend;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one client, by the key of their lock.
 *
 * <p>A lock is often wanted again soon after its release. So a cell with nothing to remember is not thrown away but
 * rests, in one of a fixed number of places, until it is wanted again or another cell takes the place.
 */
public final class Cells {

    /** A power of two. */
    public static final int PLACES = 512;

    private final ClientFacts facts;
    private final Losses losses;
    private final ConcurrentMap<LockKeys, LockCell> cells = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable LockCell> resting = new AtomicReferenceArray<>(PLACES);

    public Cells(ClientFacts facts, Losses losses) {
        this.facts = facts;
        this.losses = losses;
    }

    public LockCell cell(LockKeys keys) {
        LockCell cell = cells.get(keys);
        if (cell == null) {
            cell = cells.computeIfAbsent(keys, absent -> new LockCell(facts, this, losses, absent));
        }
        cell.wantedAs(keys);
        return cell;
    }

    @Nullable
    public LockCell ifPresent(LockKeys keys) {
        return cells.get(keys);
    }

    /** The cells that there are, resting ones among them. */
    public Collection<LockCell> all() {
        return cells.values();
    }

    /** Whether the owner holds a lock that has these names at one of the stores. Looks at every cell, so seldom to be asked. */
    public boolean anyHeld(Backend backend, LockKeys keys, Owner owner) {
        for (Store store : facts.stores()) {
            if (store.backend() == backend) {
                return cells.values().stream()
                        .anyMatch(cell ->
                                cell.keys.at(store).equals(keys) && cell.holds().alive(owner) != null);
            }
        }
        return false;
    }

    /** The leases of all holds of this name run out at the store: they are lost, at once. Any thread. Looks at every cell. */
    public void runOut(String name) {
        for (LockCell cell : cells.values()) {
            if (cell.keys.name().equals(name)) {
                Holds open = cell.holds();
                for (int i = 0; i < open.size(); i++) {
                    Hold hold = open.get(i);
                    hold.lose(
                            hold.isWatched() ? LossReason.NOT_RENEWED : LossReason.LEASE_EXPIRED,
                            "its lease ran out at the store");
                }
            }
        }
    }

    /** A cell has nothing to remember. Within its gate. */
    void rest(LockCell cell) {
        int place = place(cell.keys);
        if (resting.get(place) != cell) {
            LockCell other = resting.getAndSet(place, cell);
            if (other != null && other != cell) {
                other.run(other::retireIfIdle);
            }
        }
    }

    /** Where the cell of this lock rests. */
    public static int place(LockKeys keys) {
        int hash = keys.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }

    void remove(LockCell cell) {
        cells.remove(cell.keys, cell);
    }
}
