package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.GatedSteps;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.quorum.QuorumLeases;
import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The holds of a lock as they are used: steps of the lock's cell add and remove them, one at a time behind the cell's
 * {@link SerialGate}; any thread looks for one without it. To all of them it is one set of holds.
 */
@Param(name = "holder", gen = IntGen.class, conf = "0:2")
@Tag("once")
@Tag("proof")
public class HoldsLincheckTest {

    private static final int HOLDERS = 3;

    private volatile Holds holds = HoldList.NONE;
    private final GatedSteps gate = new GatedSteps();
    private final Hold[] all = new Hold[HOLDERS];

    public HoldsLincheckTest() {
        for (int i = 0; i < HOLDERS; i++) {
            // Nothing asks these for their state, so they need neither a cell nor a store.
            all[i] = new Hold(
                    null,
                    new Terms(Reentrant.KIND, LockOptions.defaults()),
                    Owner.thread(i),
                    new byte[0],
                    i,
                    new QuorumLeases(null, java.util.List.of()),
                    30_000,
                    true,
                    null,
                    null,
                    0);
        }
    }

    @Operation
    public boolean add(@Param(name = "holder") int holder) {
        return gate.run(() -> {
            boolean isNew = holds.find(all[holder].owner, Reentrant.KIND) == null;
            if (isNew) {
                holds = holds.with(all[holder]);
            }
            return isNew;
        });
    }

    @Operation
    public boolean remove(@Param(name = "holder") int holder) {
        return gate.run(() -> {
            boolean wasThere = holds.find(all[holder].owner, Reentrant.KIND) != null;
            holds = holds.without(all[holder]);
            return wasThere;
        });
    }

    @Operation
    public boolean find(@Param(name = "holder") int holder) {
        return holds.find(all[holder].owner, Reentrant.KIND) == all[holder];
    }

    @Operation
    public int count() {
        return holds.size();
    }

    @Operation
    public boolean isEmpty() {
        return holds.isEmpty();
    }

    @Test
    void actsLikeASetInEveryInterleaving() {
        new ModelCheckingOptions()
                .sequentialSpecification(Holders.class)
                .iterations(25)
                .invocationsPerIteration(80)
                .actorsBefore(2)
                .threads(2)
                .actorsPerThread(2)
                .actorsAfter(1)
                .check(HoldsLincheckTest.class);
    }

    @Test
    void actsLikeASetUnderStress() {
        new StressOptions()
                .sequentialSpecification(Holders.class)
                .iterations(20)
                .invocationsPerIteration(100)
                .minimizeFailedScenario(false)
                .threads(3)
                .actorsPerThread(2)
                .check(HoldsLincheckTest.class);
    }

    /** What a set of holders is, without threads. */
    public static class Holders {

        private final Set<Integer> holders = new HashSet<>();

        public boolean add(int holder) {
            return holders.add(holder);
        }

        public boolean remove(int holder) {
            return holders.remove(holder);
        }

        public boolean find(int holder) {
            return holders.contains(holder);
        }

        public int count() {
            return holders.size();
        }

        public boolean isEmpty() {
            return holders.isEmpty();
        }
    }
}
