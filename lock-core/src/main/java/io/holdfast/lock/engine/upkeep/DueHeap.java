package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.hold.StoreLease;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the order in which they are due: a binary heap in which every lease knows its place, so that any of them can
 * be removed or moved in logarithmic time.
 *
 * <p>The times stand in an array of their own. Of many leases hardly any is in the processor's cache, and to find a place
 * for one takes two comparisons for each power of two.
 */
final class DueHeap {

    private static final int FIRST_ROOM = 16;

    private @Nullable StoreLease[] heap = new StoreLease[FIRST_ROOM];
    private long[] dueNanos = new long[FIRST_ROOM];
    private int size;
    private final ObjIntConsumer<StoreLease> change;

    /** @param change hears of each lease that comes, with 1, and of each that goes, with -1 */
    DueHeap(ObjIntConsumer<StoreLease> change) {
        this.change = change;
    }

    int size() {
        return size;
    }

    boolean contains(StoreLease lease) {
        return lease.heapIndex >= 0;
    }

    @Nullable
    StoreLease first() {
        return size == 0 ? null : heap[0];
    }

    /** When the first lease is due; there is one. */
    long firstDueNanos() {
        return dueNanos[0];
    }

    /** Adds a lease, or moves it to where its due time puts it. */
    void put(StoreLease lease, long due) {
        if (lease.heapIndex < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size + size / 2);
                dueNanos = Arrays.copyOf(dueNanos, size + size / 2);
            }
            lease.heapIndex = size++;
            change.accept(lease, 1);
        }
        move(lease, due, lease.heapIndex);
    }

    void remove(StoreLease lease) {
        int index = lease.heapIndex;
        if (index < 0) {
            return;
        }
        lease.heapIndex = -1;
        change.accept(lease, -1);
        StoreLease last = at(--size);
        heap[size] = null;
        if (last != lease) {
            move(last, dueNanos[size], index);
        } else if (size == 0 && heap.length > 1024) {
            heap = new StoreLease[FIRST_ROOM];
            dueNanos = new long[FIRST_ROOM];
        }
    }

    /** The lease at an index below the size. */
    StoreLease at(int index) {
        StoreLease lease = heap[index];
        if (lease == null) {
            throw new IndexOutOfBoundsException("no lease at " + index + " of " + size);
        }
        return lease;
    }

    private void move(StoreLease lease, long due, int from) {
        int index = siftUp(due, from);
        if (index == from) {
            index = siftDown(due, from);
        }
        place(lease, due, index);
    }

    /** Makes room above for a due time. */
    private int siftUp(long due, int from) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (dueNanos[parent] - due <= 0) {
                break;
            }
            place(at(parent), dueNanos[parent], index);
            index = parent;
        }
        return index;
    }

    /** Makes room below for a due time. */
    private int siftDown(long due, int from) {
        int index = from;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && dueNanos[child + 1] - dueNanos[child] < 0) {
                child++;
            }
            if (due - dueNanos[child] <= 0) {
                break;
            }
            place(at(child), dueNanos[child], index);
            index = child;
        }
        return index;
    }

    private void place(StoreLease lease, long due, int index) {
        heap[index] = lease;
        dueNanos[index] = due;
        lease.heapIndex = index;
    }
}
