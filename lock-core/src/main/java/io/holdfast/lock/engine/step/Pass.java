package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.kind.GuardedScripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.Vouching;
import java.util.function.Consumer;

/** What one guarded request names beside its own words: the term that it is meant for, and how that has to have begun. */
public final class Pass {

    private final FailoverGuard guard;
    private final long epoch;
    private final long pauseMillis;
    private final boolean early;

    /** @param early whether the step is run during the pause, though its answer does not count then */
    Pass(FailoverGuard guard, long epoch, long pauseMillis, boolean early) {
        this.guard = guard;
        this.epoch = epoch;
        this.pauseMillis = pauseMillis;
        this.early = early;
    }

    /** Whether a majority of all Sentinels names the server: without that, no request is sent. */
    public boolean isOpen() {
        return epoch != Vouching.NO_EPOCH;
    }

    /** The script to be sent in place of a step's. */
    public Script script(Script step) {
        return GuardedScripts.of(step);
    }

    /** Writes the keys and arguments of a step with those of the guard. */
    public void write(Args out, Consumer<Args> step) {
        step.accept(out.key(guard.term()));
        out.arg(epoch).arg(pauseMillis).arg(early ? 1 : 0);
    }

    /** Says what the answer is good for. */
    public Judgement judge(Reply reply) {
        return guard.judge(reply, epoch);
    }
}
