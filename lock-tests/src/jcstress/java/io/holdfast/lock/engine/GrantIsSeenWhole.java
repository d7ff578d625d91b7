package io.holdfast.lock.engine;

import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.Hold;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLJ_Result;

/** Who sees that a future is complete sees the hold in it: held, once, with its token. */
@JCStressTest
@Outcome(id = "pending, null, 0", expect = Expect.ACCEPTABLE, desc = "the future is not complete yet")
@Outcome(id = "HELD, 1, 42", expect = Expect.ACCEPTABLE, desc = "all of the hold is seen")
@Outcome(expect = Expect.FORBIDDEN, desc = "a part of the hold is missing")
@State
public class GrantIsSeenWhole {

    private final Promise<Hold, Hold> promise = Promise.of(Runnable::run);

    @Actor
    public void grant() {
        promise.complete(SilentStore.grantedHold());
    }

    @Actor
    public void look(LLJ_Result seen) {
        Hold hold = promise.future().toCompletableFuture().getNow(null);
        seen.r1 = hold == null ? "pending" : hold.state();
        seen.r2 = hold == null ? null : hold.count();
        seen.r3 = hold == null ? 0 : hold.token;
    }
}
