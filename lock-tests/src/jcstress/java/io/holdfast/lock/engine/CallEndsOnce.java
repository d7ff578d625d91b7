package io.holdfast.lock.engine;

import io.holdfast.lock.engine.call.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** A future that is cancelled while its lock is granted: either the caller has the hold, or it is given back. */
@JCStressTest
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "granted first: the caller has it")
@Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "cancelled while it was handed over: given back")
@Outcome(id = "true, false, 0", expect = Expect.ACCEPTABLE, desc = "cancelled first: whoever grants keeps it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a hold that nobody has, or two have")
@State
public class CallEndsOnce {

    private final AtomicInteger givenBack = new AtomicInteger();
    private final Promise<Integer, Integer> promise =
            new Promise<>(Runnable::run, value -> value, value -> givenBack.incrementAndGet());

    @Actor
    public void cancel(ZZI_Result end) {
        end.r1 = promise.future().cancel(true);
    }

    @Actor
    public void grant(ZZI_Result end) {
        end.r2 = promise.complete(7);
    }

    @Arbiter
    public void count(ZZI_Result end) {
        end.r3 = givenBack.get();
    }
}
