package io.holdfast.lock.netty.connection;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.ScriptCall;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The bound of the queue in front of a connection: an ordinary call is refused when the queue is full, and only then. In
 * particular no call is refused because another was, and none because of urgent ones.
 *
 * <p>A call takes its place before it is in line, so what stands in line says nothing of the places; that is why only
 * calls are taken out here that were in the queue from the beginning.
 */
@Tag("once")
@Tag("proof")
public class CallQueueBoundLincheckTest {

    private static final int LIMIT = 2;

    private final Room room = new Room(LIMIT, SECONDS.toNanos(1));
    private final CallQueue queue = new CallQueue(room, SECONDS.toNanos(1));
    private int left = LIMIT;

    public CallQueueBoundLincheckTest() {
        for (int i = 0; i < LIMIT; i++) {
            queue.offer(new Probe(TestNode.ECHO, "key", "argument", 0));
        }
    }

    @Operation
    public boolean offer() {
        return queue.offer(new Probe(TestNode.ECHO, "key", "argument", 0));
    }

    @Operation
    public boolean offerUrgent() {
        return queue.offer(new Probe(TestNode.URGENT_ECHO, "key", "argument", 0));
    }

    @Operation(nonParallelGroup = "event loop")
    public void takeUrgent() {
        queue.poll(true);
    }

    @Operation(nonParallelGroup = "event loop")
    public boolean takeOneOfTheFirst() {
        if (left-- <= 0) {
            return false;
        }
        ScriptCall first = queue.poll(false);
        while (first != null && first.script.isUrgent()) {
            first = queue.poll(false);
        }
        return first != null;
    }

    @Test
    void nobodyIsRefusedWhileThereIsRoom() {
        new ModelCheckingOptions()
                .sequentialSpecification(Places.class)
                .iterations(10)
                .invocationsPerIteration(200)
                .actorsBefore(0)
                .threads(3)
                .actorsPerThread(2)
                .actorsAfter(0)
                .check(CallQueueBoundLincheckTest.class);
    }

    /** What the bound is, without threads. */
    public static class Places {

        private int taken = LIMIT;
        private int left = LIMIT;

        public boolean offer() {
            boolean room = taken < LIMIT;
            taken += room ? 1 : 0;
            return room;
        }

        public boolean offerUrgent() {
            return true;
        }

        public void takeUrgent() {
            // Urgent calls have no places.
        }

        public boolean takeOneOfTheFirst() {
            boolean there = left-- > 0;
            taken -= there ? 1 : 0;
            return there;
        }
    }
}
