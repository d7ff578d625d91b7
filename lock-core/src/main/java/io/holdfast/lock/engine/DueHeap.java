package io.holdfast.lock.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds in the order in which they are due: a binary heap in which every hold knows its place, so that any of them can
 * be removed or moved in logarithmic time.
 */
final class DueHeap {

    private @Nullable Hold[] heap = new Hold[16];
    private int size;

    int size() {
        return size;
    }

    boolean contains(Hold hold) {
        return hold.heapIndex >= 0;
    }

    @Nullable
    Hold first() {
        return size == 0 ? null : heap[0];
    }

    /** Adds a hold, or moves it to where its due time puts it. */
    void put(Hold hold, long dueNanos) {
        hold.dueNanos = dueNanos;
        if (hold.heapIndex < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            place(hold, size++);
        }
        siftDown(hold, siftUp(hold, hold.heapIndex));
    }

    void remove(Hold hold) {
        int index = hold.heapIndex;
        if (index < 0) {
            return;
        }
        hold.heapIndex = -1;
        Hold last = at(--size);
        heap[size] = null;
        if (last != hold) {
            place(last, index);
            siftDown(last, siftUp(last, index));
        } else if (size == 0 && heap.length > 1024) {
            heap = new Hold[16];
        }
    }

    /** The hold at an index below the size. */
    Hold at(int index) {
        Hold hold = heap[index];
        if (hold == null) {
            throw new IndexOutOfBoundsException("no hold at " + index + " of " + size);
        }
        return hold;
    }

    private int siftUp(Hold hold, int from) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            Hold above = at(parent);
            if (above.dueNanos - hold.dueNanos <= 0) {
                break;
            }
            place(above, index);
            index = parent;
        }
        place(hold, index);
        return index;
    }

    private void siftDown(Hold hold, int from) {
        int index = from;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && at(child + 1).dueNanos - at(child).dueNanos < 0) {
                child++;
            }
            Hold below = at(child);
            if (hold.dueNanos - below.dueNanos <= 0) {
                break;
            }
            place(below, index);
            index = child;
        }
        place(hold, index);
    }

    private void place(Hold hold, int index) {
        heap[index] = hold;
        hold.heapIndex = index;
    }
}
