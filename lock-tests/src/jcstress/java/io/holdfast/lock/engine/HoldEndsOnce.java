package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.engine.hold.Hold;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** A hold that is lost and released at once ends in one way, and who asked to be told of a loss is told of just that. */
@JCStressTest
@Outcome(id = "true, false, 1, LOST", expect = Expect.ACCEPTABLE, desc = "lost, and told so")
@Outcome(id = "false, true, 0, RELEASED", expect = Expect.ACCEPTABLE, desc = "released, and nothing told")
@Outcome(expect = Expect.FORBIDDEN, desc = "two ends, or none, or a wrong message")
@State
public class HoldEndsOnce {

    private final Hold hold = SilentStore.grantedHold();
    private final AtomicInteger told = new AtomicInteger();

    public HoldEndsOnce() {
        SilentStore.handle(hold).onLost(loss -> told.incrementAndGet());
    }

    @Actor
    public void lose(LLLL_Result end) {
        end.r1 = hold.lose(FailureReason.KEY_GONE, "for the test");
    }

    @Actor
    public void release(LLLL_Result end) {
        end.r2 = hold.release();
    }

    @Arbiter
    public void look(LLLL_Result end) {
        end.r3 = told.get();
        end.r4 = hold.state();
    }
}
