package io.holdfast.lock.engine;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.lock.HoldView;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Callbacks that are registered while the loss happens are each called exactly once. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both are called once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a callback is forgotten, or called twice")
@State
public class LossIsToldOnce {

    private final Hold hold = SilentStore.grantedHold();
    private final HoldView handle = SilentStore.handle(hold);
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    @Actor
    public void lose() {
        hold.lose(LossReason.NOT_RENEWED, "for the test");
    }

    @Actor
    public void register() {
        handle.onLost(loss -> first.incrementAndGet());
        handle.onLost(loss -> second.incrementAndGet());
    }

    @Arbiter
    public void count(II_Result told) {
        told.r1 = first.get();
        told.r2 = second.get();
    }
}
