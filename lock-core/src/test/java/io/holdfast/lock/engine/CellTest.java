package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state of a lock: when it comes and goes, and who runs its steps. */
class CellTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Engine engine = new Engine(List.of(backend), true, ClientOptions.defaults(), null, "c");
    private final LockNames names = LockNames.of("stock", LockOptions.defaults());
    private final EngineLock lock = new EngineLock(engine, names, LockOptions.defaults());

    @Test
    void aForcedReleaseLeavesNoState() {
        lock.forceUnlockAsync();
        backend.next("force").fault(Fault.Kind.NOPERM, false);
        assertThat(engine.cellIfPresent(names)).isNull();

        lock.forceUnlockAsync();
        backend.next("force").done();
        assertThat(engine.cellIfPresent(names)).isNull();
    }

    @Test
    void aBusyCallbackExecutorDoesNotStopTheSteps() {
        List<Runnable> parked = new ArrayList<>();
        backend.runtime.callbacks(parked::add);
        lock.tryLockAsync(1);
        LockCell cell = engine.cell(names);
        List<Integer> ran = new ArrayList<>();
        cell.step(() -> {
            for (int i = 0; i < 200; i++) {
                int number = i;
                cell.step(() -> ran.add(number));
            }
        });
        assertThat(ran).hasSize(200);
    }
}
