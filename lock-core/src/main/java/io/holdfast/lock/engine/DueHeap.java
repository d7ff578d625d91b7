package io.holdfast.lock.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the order in which they are due: a binary heap in which every lease knows its place, so that any of them can
 * be removed or moved in logarithmic time.
 */
final class DueHeap {

    private @Nullable StoreLease[] heap = new StoreLease[16];
    private int size;

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

    /** Adds a lease, or moves it to where its due time puts it. */
    void put(StoreLease lease, long dueNanos) {
        lease.dueNanos = dueNanos;
        if (lease.heapIndex < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            place(lease, size++);
        }
        siftDown(lease, siftUp(lease, lease.heapIndex));
    }

    void remove(StoreLease lease) {
        int index = lease.heapIndex;
        if (index < 0) {
            return;
        }
        lease.heapIndex = -1;
        StoreLease last = at(--size);
        heap[size] = null;
        if (last != lease) {
            place(last, index);
            siftDown(last, siftUp(last, index));
        } else if (size == 0 && heap.length > 1024) {
            heap = new StoreLease[16];
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

    private int siftUp(StoreLease lease, int from) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            StoreLease above = at(parent);
            if (above.dueNanos - lease.dueNanos <= 0) {
                break;
            }
            place(above, index);
            index = parent;
        }
        place(lease, index);
        return index;
    }

    private void siftDown(StoreLease lease, int from) {
        int index = from;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && at(child + 1).dueNanos - at(child).dueNanos < 0) {
                child++;
            }
            StoreLease below = at(child);
            if (lease.dueNanos - below.dueNanos <= 0) {
                break;
            }
            place(below, index);
            index = child;
        }
        place(lease, index);
    }

    private void place(StoreLease lease, int index) {
        heap[index] = lease;
        lease.heapIndex = index;
    }
}
