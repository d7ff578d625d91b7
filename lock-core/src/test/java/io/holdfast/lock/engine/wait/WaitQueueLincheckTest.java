package io.holdfast.lock.engine.wait;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.GatedSteps;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Reentrant;
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
 * The queue of waiters as it is used: it knows nothing of threads and lives behind a {@link SerialGate}, to which any
 * thread brings steps. Whatever the threads do, the queue acts like a line in which one after the other stands; its size
 * is read past the gate, as by {@code inspect}. So this is a test of the gate as well: a step that is lost, or two that
 * run at once, end in an order that no line explains, or in a caller that waits for ever.
 */
@Param(name = "waiter", gen = IntGen.class, conf = "0:2")
@Tag("once")
@Tag("proof")
public class WaitQueueLincheckTest {

    private static final int WAITERS = 3;

    private final WaitQueue queue = new WaitQueue();
    private final GatedSteps gate = new GatedSteps();
    private final Ticket[] tickets = new Ticket[WAITERS];

    public WaitQueueLincheckTest() {
        for (int i = 0; i < WAITERS; i++) {
            tickets[i] = new Ticket(
                    LockKeys.of("stock", LockOptions.defaults()),
                    new Terms(Reentrant.KIND, LockOptions.defaults()),
                    Owner.thread(i),
                    new LeaseTerm(30_000, true),
                    Ticket.NEVER,
                    null,
                    0,
                    new Unwanted<>());
        }
    }

    @Operation
    public boolean arrive(@Param(name = "waiter") int waiter) {
        return gate.run(() -> {
            boolean isNew = !tickets[waiter].queued;
            if (isNew) {
                queue.add(tickets[waiter]);
            }
            return isNew;
        });
    }

    @Operation
    public boolean leave(@Param(name = "waiter") int waiter) {
        return gate.runElsewhere(() -> {
            boolean wasThere = tickets[waiter].queued;
            queue.remove(tickets[waiter]);
            return wasThere;
        });
    }

    @Operation
    public long head() {
        return gate.run(() -> {
            Ticket head = queue.head();
            return head == null ? -1 : head.owner.id();
        });
    }

    @Operation
    public int size() {
        return queue.size();
    }

    @Test
    void actsLikeALineInEveryInterleaving() {
        new ModelCheckingOptions()
                .sequentialSpecification(Line.class)
                .iterations(25)
                .invocationsPerIteration(80)
                .actorsBefore(2)
                .threads(2)
                .actorsPerThread(2)
                .actorsAfter(2)
                .check(WaitQueueLincheckTest.class);
    }

    @Test
    void actsLikeALineUnderStress() {
        new StressOptions()
                .sequentialSpecification(Line.class)
                .iterations(20)
                .invocationsPerIteration(100)
                .minimizeFailedScenario(false)
                .threads(3)
                .actorsPerThread(2)
                .check(WaitQueueLincheckTest.class);
    }

    /** What a line of waiters is, without threads. */
    public static class Line {

        private final Deque<Integer> waiters = new ArrayDeque<>();

        public boolean arrive(int waiter) {
            return !waiters.contains(waiter) && waiters.add(waiter);
        }

        public boolean leave(int waiter) {
            return waiters.remove(waiter);
        }

        public long head() {
            return waiters.isEmpty() ? -1 : waiters.peek();
        }

        public int size() {
            return waiters.size();
        }
    }
}
