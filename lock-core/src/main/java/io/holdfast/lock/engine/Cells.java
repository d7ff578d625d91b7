package io.holdfast.lock.engine;

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
final class Cells {

    /** A power of two. */
    static final int PLACES = 512;

    private final Engine engine;
    private final ConcurrentMap<String, LockCell> cells = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable LockCell> resting = new AtomicReferenceArray<>(PLACES);

    Cells(Engine engine) {
        this.engine = engine;
    }

    LockCell cell(LockNames names) {
        LockCell cell = cells.get(names.key);
        if (cell == null) {
            cell = cells.computeIfAbsent(names.key, key -> new LockCell(engine, names));
        }
        return cell;
    }

    @Nullable
    LockCell ifPresent(LockNames names) {
        return cells.get(names.key);
    }

    /** The cells that there are, resting ones among them. */
    Collection<LockCell> all() {
        return cells.values();
    }

    /** A cell has nothing to remember. Within its gate. */
    void rest(LockCell cell) {
        int place = place(cell.names.key);
        if (resting.get(place) != cell) {
            LockCell other = resting.getAndSet(place, cell);
            if (other != null && other != cell) {
                other.step(other::retireIfIdle);
            }
        }
    }

    /** Where the cell of this key rests. */
    static int place(String key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }

    void remove(LockCell cell) {
        cells.remove(cell.names.key, cell);
    }
}
