package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockLoss;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step that hears of a hold's loss, and those that were registered before it. A hold without any costs a reference. */
final class LossHearer {

    private static final AtomicReferenceFieldUpdater<Hold, @Nullable LossHearer> LAST =
            AtomicReferenceFieldUpdater.newUpdater(Hold.class, LossHearer.class, "hearers");

    private final Consumer<? super LockLoss> step;
    /** Registered before it; while the loss is told, after it. */
    private @Nullable LossHearer next;

    private LossHearer(Consumer<? super LockLoss> step, @Nullable LossHearer before) {
        this.step = step;
        this.next = before;
    }

    static void add(Hold hold, Consumer<? super LockLoss> step) {
        LossHearer before;
        do {
            before = hold.hearers;
        } while (!LAST.compareAndSet(hold, before, new LossHearer(step, before)));
    }

    /** Tells those that have not heard of the loss, the first of them first. */
    static void tellAll(Hold hold, LockLoss loss) {
        LossHearer first = null;
        for (LossHearer each = LAST.getAndSet(hold, null); each != null; ) {
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
