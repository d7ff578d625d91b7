package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.hold.Hold;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLJ_Result;

/** Who sees that a hold is lost sees why, and whose it was; and the loss is not taken back. */
@JCStressTest
@Outcome(id = "HELD, null, 0", expect = Expect.ACCEPTABLE, desc = "not lost yet")
@Outcome(id = "HELD, KEY_GONE, 42", expect = Expect.ACCEPTABLE, desc = "lost between the two questions")
@Outcome(id = "LOST, KEY_GONE, 42", expect = Expect.ACCEPTABLE, desc = "all of the loss is seen")
@Outcome(expect = Expect.FORBIDDEN, desc = "a loss without its reason, or one that was taken back")
@State
public class LossIsSeenWhole {

    private final Hold hold = SilentStore.grantedHold();

    @Actor
    public void lose() {
        hold.lose(FailureReason.KEY_GONE, "for the test");
    }

    @Actor
    public void look(LLJ_Result seen) {
        HoldState state = hold.state();
        LockLoss loss = hold.loss();
        seen.r1 = state;
        seen.r2 = loss == null ? null : loss.reason();
        seen.r3 = loss == null ? 0 : loss.fencingToken();
    }
}
