package io.holdfast.lock.netty.connection;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The queue in front of a connection, as it is used: any thread adds calls, one thread, the event loop, takes them out
 * in order, lets them stand in line, and writes them into what is in flight, from which answers take them. To all of
 * them together it is one queue with another behind it. What is in flight is the event loop's own and needs no more than
 * that. The bound is tried in {@link CallQueueBoundLincheckTest}.
 */
@Param(name = "call", gen = IntGen.class, conf = "0:9")
@Tag("once")
@Tag("proof")
public class CallQueueLincheckTest {

    private static final int NO_LIMIT = 1_000;

    private final Room room = new Room(NO_LIMIT, SECONDS.toNanos(1));
    private final CallQueue queue = new CallQueue(room, SECONDS.toNanos(1));
    private final InFlight inFlight = new InFlight(0);

    @Operation
    public boolean offer(@Param(name = "call") int number) {
        return queue.offer(new Probe(TestNode.ECHO, "key", "argument", number));
    }

    @Operation(nonParallelGroup = "event loop")
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    @Operation(nonParallelGroup = "event loop")
    public void lineUp() {
        queue.lineUp(call -> {});
    }

    /** Takes the oldest call that waits and writes it. */
    @Operation(nonParallelGroup = "event loop")
    public int write() {
        ScriptCall call = queue.poll(false);
        if (call != null) {
            inFlight.add(call, (byte) 0);
        }
        return number(call);
    }

    /** Gives an answer to the oldest call that was written. */
    @Operation(nonParallelGroup = "event loop")
    public int answer() {
        return inFlight.isEmpty() ? -1 : number((ScriptCall) inFlight.remove());
    }

    /** Calls are told apart by their deadlines. */
    private static int number(ScriptCall call) {
        return call == null ? -1 : (int) call.deadlineNanos;
    }

    @Test
    void actsLikeAQueueInEveryInterleaving() {
        new ModelCheckingOptions()
                .sequentialSpecification(Line.class)
                .iterations(12)
                .invocationsPerIteration(150)
                .actorsBefore(2)
                .threads(3)
                .actorsPerThread(2)
                .actorsAfter(2)
                .check(CallQueueLincheckTest.class);
    }

    @Test
    void actsLikeAQueueUnderStress() {
        new StressOptions()
                .sequentialSpecification(Line.class)
                .iterations(5)
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(2)
                .check(CallQueueLincheckTest.class);
    }

    /** What the queue is, without threads. */
    public static class Line {

        private final Deque<Integer> waiting = new ArrayDeque<>();
        private final Deque<Integer> written = new ArrayDeque<>();

        public boolean offer(int number) {
            return waiting.add(number);
        }

        public boolean isEmpty() {
            return waiting.isEmpty();
        }

        public void lineUp() {
            // Who stands in line has been in the queue before, and has not left it.
        }

        public int write() {
            Integer oldest = waiting.poll();
            if (oldest == null) {
                return -1;
            }
            written.add(oldest);
            return oldest;
        }

        public int answer() {
            Integer oldest = written.poll();
            return oldest == null ? -1 : oldest;
        }
    }
}
