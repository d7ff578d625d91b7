package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockLoss;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step that hears of a hold's loss, and those that were registered before it. A hold without any costs a reference. */
final class LossHearer {

    private final Consumer<? super LockLoss> step;
    /** Registered before it; while the loss is told, after it. */
    private @Nullable LossHearer next;

    private LossHearer(Consumer<? super LockLoss> step, @Nullable LossHearer before) {
        this.step = step;
        this.next = before;
    }

    /** Puts a step before those that a hold's variable has. */
    static void add(VarHandle last, Object hold, Consumer<? super LockLoss> step) {
        LossHearer before;
        do {
            before = (LossHearer) last.getVolatile(hold);
        } while (!last.compareAndSet(hold, before, new LossHearer(step, before)));
    }

    /** Tells those that have not heard of the loss, the first of them first; no other thread sees them any more. */
    static void tell(@Nullable LossHearer last, LockLoss loss) {
        LossHearer first = null;
        for (LossHearer each = last; each != null; ) {
            LossHearer before = each.next;
            each.next = first;
            first = each;
            each = before;
        }
        for (LossHearer each = first; each != null; each = each.next) {
            each.step.accept(loss);
        }
    }
}
