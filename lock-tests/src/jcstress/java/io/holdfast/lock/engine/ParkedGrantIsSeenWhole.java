package io.holdfast.lock.engine;

import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LJ_Result;

/** A thread that waits for its call, spinning or parked, goes on with the whole hold. */
@JCStressTest
@Outcome(id = "HELD, 42", expect = Expect.ACCEPTABLE, desc = "all of the hold is seen")
@Outcome(expect = Expect.FORBIDDEN, desc = "a part of the hold is missing")
@State
public class ParkedGrantIsSeenWhole {

    private final Parked<Hold> parked = new Parked<>(new Spinning(), "jcstress");

    @Actor
    public void grant() {
        parked.complete(SilentStore.grantedHold());
    }

    @Actor
    public void await(LJ_Result seen) {
        Hold hold = parked.await();
        seen.r1 = hold.state();
        seen.r2 = hold.token;
    }

    private static final class Spinning implements Blocker {
        @Override
        public boolean mayWait() {
            return true;
        }

        @Override
        public void await(Awaited awaited) {
            while (!awaited.isDone()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void unblock(Thread thread) {}
    }
}
