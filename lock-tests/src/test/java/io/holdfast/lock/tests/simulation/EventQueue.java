package io.holdfast.lock.tests.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is to happen, by time: a binary heap without comparators, because all of a run goes through it. */
final class EventQueue {

    private @Nullable Event[] heap = new Event[256];
    private int size;

    int size() {
        return size;
    }

    void add(Event event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int place = size++;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            Event above = heap[parent];
            if (above == null || !event.isBefore(above)) {
                break;
            }
            heap[place] = above;
            place = parent;
        }
        heap[place] = event;
    }

    /** The earliest event, taken out; null if there is none. */
    @Nullable
    Event poll() {
        if (size == 0) {
            return null;
        }
        Event first = heap[0];
        Event last = heap[--size];
        heap[size] = null;
        if (size > 0 && last != null) {
            sink(last);
        }
        return first;
    }

    private void sink(Event event) {
        int place = 0;
        int half = size >>> 1;
        while (place < half) {
            int child = 2 * place + 1;
            Event smaller = heap[child];
            Event right = child + 1 < size ? heap[child + 1] : null;
            if (smaller == null) {
                break;
            }
            if (right != null && right.isBefore(smaller)) {
                smaller = right;
                child++;
            }
            if (!smaller.isBefore(event)) {
                break;
            }
            heap[place] = smaller;
            place = child;
        }
        heap[place] = event;
    }
}
