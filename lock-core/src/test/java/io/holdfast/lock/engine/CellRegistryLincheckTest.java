package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.EngineLock;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The registry of cells and of their holds, as it is used: through the whole engine, over a store that answers at once.
 * A cell comes with the first call for a lock, rests when its last hold has ended, and retires when the cell of another
 * lock takes its place; a call that meets a cell as it retires goes to the next one. To the callers there is one
 * reentrant lock.
 *
 * <p>It bites: once {@code Cells.rest} simply forgets the cell whose place is taken, in place of asking it within its gate
 * whether it is idle, an owner is told within seconds that it does not hold what it has just taken.
 */
@Param(name = "owner", gen = IntGen.class, conf = "1:2")
@Tag("once")
@Tag("proof")
public class CellRegistryLincheckTest {

    /** A lock whose cell rests where that of the other lock does. */
    private static final String RIVAL = IntStream.iterate(0, i -> i + 1)
            .mapToObj(i -> "rival" + i)
            .filter(name -> place(name) == place("stock"))
            .findFirst()
            .orElseThrow();

    private static final int RIVALS_OWNER = 9;

    private final Engine engine = new Engine(List.of(new InstantStore()), true, ClientOptions.defaults(), null, "c");
    private final EngineLock lock = lock("stock");
    private final EngineLock rival = lock(RIVAL);

    @Operation
    public boolean tryLock(@Param(name = "owner") int owner) {
        return await(lock.tryLockAsync(owner));
    }

    @Operation
    public boolean unlock(@Param(name = "owner") int owner) {
        try {
            await(lock.unlockAsync(owner));
            return true;
        } catch (LockNotHeldException notHeld) {
            return false;
        }
    }

    @Operation
    public boolean isHeld(@Param(name = "owner") int owner) {
        return lock.isHeldByThread(owner);
    }

    /** Takes and releases the other lock, whose cell then takes the place of this one's. */
    @Operation
    public void disturb() {
        await(rival.tryLockAsync(RIVALS_OWNER));
        await(rival.unlockAsync(RIVALS_OWNER));
    }

    private EngineLock lock(String name) {
        return new EngineLock(
                engine, new Terms(Reentrant.KIND, LockOptions.defaults()), LockKeys.of(name, LockOptions.defaults()));
    }

    private static int place(String name) {
        return Cells.place(LockKeys.of(name, LockOptions.defaults()));
    }

    /** The store answers at once, but a step may have been left behind for the thread that is inside the gate. */
    private static <T> T await(RFuture<T> future) {
        while (!future.isDone()) {
            Thread.onSpinWait();
        }
        try {
            return future.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw (RuntimeException) failed.getCause();
        }
    }

    /** Goes through the whole engine at every step, which takes minutes. */
    @Test
    @Tag("long")
    void actsLikeOneLockInEveryInterleaving() {
        new ModelCheckingOptions()
                .sequentialSpecification(Mutex.class)
                .iterations(10)
                .invocationsPerIteration(300)
                .actorsBefore(1)
                .threads(2)
                .actorsPerThread(2)
                .actorsAfter(2)
                .check(CellRegistryLincheckTest.class);
    }

    @Test
    void actsLikeOneLockUnderStress() {
        new StressOptions()
                .sequentialSpecification(Mutex.class)
                .iterations(20)
                .invocationsPerIteration(100)
                .minimizeFailedScenario(false)
                .threads(3)
                .actorsPerThread(2)
                .check(CellRegistryLincheckTest.class);
    }

    /** What a reentrant lock is, without threads. */
    public static class Mutex {

        private int holder;
        private int count;

        public boolean tryLock(int owner) {
            if (count > 0 && holder != owner) {
                return false;
            }
            holder = owner;
            count++;
            return true;
        }

        public boolean unlock(int owner) {
            if (!isHeld(owner)) {
                return false;
            }
            count--;
            return true;
        }

        public void disturb() {
            // Another lock is another matter.
        }

        public boolean isHeld(int owner) {
            return count > 0 && holder == owner;
        }
    }
}
