package io.holdfast.lock.engine.step;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the failover guard says of an answer (rule 88). Valid as long as the reply is.
 *
 * @param answer the step's own; null if it was not run
 * @param obstacle why the answer is of no use; null if it counts
 * @param restNanos in how long that passes; 0 if it is not known
 */
public record Judgement(@Nullable Reply answer, @Nullable Fault obstacle, long restNanos) {

    static Judgement counting(Reply answer) {
        return new Judgement(answer, null, 0);
    }

    /** The step was not run. */
    static Judgement refused(Fault obstacle) {
        return new Judgement(null, obstacle, 0);
    }

    /** The answer may not be used as it stands. */
    static Judgement ofNoUse(@Nullable Reply answer, Fault obstacle, long restNanos) {
        return new Judgement(answer, obstacle, restNanos);
    }

    public boolean counts() {
        return obstacle == null;
    }

    /** Whether Sentinels vouch for the server, where the step was run, and all that it lacks is time. */
    public boolean isEarly() {
        return answer != null && restNanos > 0;
    }

    /** The step's answer, where it was run. */
    public Reply theAnswer() {
        return Objects.requireNonNull(answer);
    }

    /** The obstacle, where there is one. */
    public Fault fault() {
        return Objects.requireNonNull(obstacle);
    }

    /** The obstacle of a step that was run, and has left something at the server. */
    Fault leaving() {
        Fault fault = fault();
        return new Fault(fault.kind(), true, fault.node(), fault.detail());
    }

    /** The obstacle of a step that was run, and has changed nothing. */
    Fault harmless() {
        Fault fault = fault();
        return new Fault(fault.kind(), false, fault.node(), fault.detail());
    }
}
