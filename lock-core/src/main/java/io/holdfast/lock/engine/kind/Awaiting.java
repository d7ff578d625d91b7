package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.ConditionName;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a call says that gives a fair lock up and awaits a condition of it, until it has the lock again (rules 63, 64). There is one
 * for each condition. A hold is never of this kind: what the call gets is the fair lock.
 */
public final class Awaiting extends Queued {

    private final ConditionName condition;

    public Awaiting(ConditionName condition) {
        super(HoldKind.FAIR, "fair", "w");
        this.condition = condition;
    }

    public ConditionName condition() {
        return condition;
    }

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> Scripts.COND_AWAIT;
            case RELEASE -> Scripts.COND_PART;
            default -> super.script(verb);
        };
    }

    /** Names the hold that is given up in each request: the first that is executed ends it, and later ones find none. */
    @Override
    public void writeAcquire(LockKeys lock, Fields fields, Asker asker, byte[] field, Args out) {
        condition.writeKeys(lock, out);
        writeField(fields, field, out).arg(asker.leaseMillis());
        writeField(fields, Objects.requireNonNull(asker.heldBeside()), out);
        out.arg(asker.levels())
                .arg(asker.leavesCondition() ? 1 : 0)
                .arg(CLAIM_WINDOW_MILLIS)
                .arg(PRESENCE_MILLIS);
        lock.writeChannel(out);
    }

    @Override
    public void writeRelease(LockKeys lock, Fields fields, byte[] field, Args out) {
        condition.writeKeys(lock, out);
        writeField(fields, field, out).arg(CLAIM_WINDOW_MILLIS);
        lock.writeChannel(out);
    }

    /** It leaves the condition first: a signal would move it from there to the queue. */
    @Override
    public List<KeyStep> keyByKey(Verb verb) {
        List<KeyStep> steps = new ArrayList<>(super.keyByKey(verb));
        if (verb == Verb.RELEASE) {
            steps.add(0, leaves(condition::writeKey));
        }
        return steps;
    }

    /**
     * Writes keys and arguments of a signal.
     *
     * @param holder the field of the hold under which it is given
     * @param id a field that is no hold's
     */
    public void writeSignal(LockKeys lock, Fields fields, byte[] holder, byte[] id, boolean all, Args out) {
        condition.writeKeys(lock, out);
        writeField(fields, holder, out);
        writeField(fields, id, out).arg(all ? 1 : 0).arg(PRESENCE_MILLIS);
    }

    /** Whatever its owner holds meanwhile: the call goes on until it has its own hold. */
    @Override
    public boolean isApart() {
        return true;
    }

    @Override
    public boolean includes(LockKind other) {
        return equals(other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Awaiting that && condition.equals(that.condition);
    }

    @Override
    public int hashCode() {
        return condition.hashCode();
    }
}
