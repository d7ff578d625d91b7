package io.holdfast.lock.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One script call: the step and its in-flight record in one object, so that a call costs one allocation.
 *
 * <p>A transport calls {@link #encode} once for every time that it writes the call, {@link #onOverdue} at most once,
 * and then one of {@link #onReply} and {@link #onFault}, possibly long after it was overdue. An overdue call
 * keeps its place among the calls in flight: the connection stays usable and later replies still match their requests.
 *
 * <p>Until it is written, the engine may take it back; then it has no effect.
 */
public abstract class ScriptCall {

    private static final VarHandle STAGE;
    private static final int WAITING = 0;
    private static final int WRITTEN = 1;
    private static final int TAKEN_BACK = 2;
    /** Written when it was to be taken back. */
    private static final int GIVEN_UP = 3;

    /** The part of {@link #stage} that is one of these; the rest counts how often the call was sent on. */
    private static final int STAGES = 3;

    private static final int ONCE = 4;

    static {
        try {
            STAGE = MethodHandles.lookup().findVarHandle(ScriptCall.class, "stage", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The script to run. */
    public final Script script;

    /** The hash slot of all keys of this call. */
    public final int slot;

    /** When the engine sent it on its way, on the runtime's monotonic clock. */
    public final long sentNanos;

    /** When the caller stops waiting, on the same clock. */
    public final long deadlineNanos;

    /** The server process to which the call was written last; the transport sets it just before. */
    public ServerRun run = ServerRun.UNKNOWN;

    private volatile int stage;

    protected ScriptCall(Script script, int slot, long sentNanos, long deadlineNanos) {
        this.script = script;
        this.slot = slot;
        this.sentNanos = sentNanos;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Takes the call back unless the transport has begun to write it. Any thread, any number of times. A call that was
     * taken back ends with {@link #onFault} when its turn comes. One that is written is given up: where a node refuses it
     * and names another one, it is not written there.
     *
     * @return whether it has no effect and never will
     */
    public final boolean takeBack() {
        for (int now = stage; (now & STAGES) != GIVEN_UP; now = stage) {
            boolean waits = (now & STAGES) == WAITING;
            int next = (now & ~STAGES) | (waits ? TAKEN_BACK : GIVEN_UP);
            if ((now & STAGES) == TAKEN_BACK || STAGE.compareAndSet(this, now, next)) {
                return waits || (now & STAGES) == TAKEN_BACK;
            }
        }
        return false;
    }

    /** True if the caller wanted to take it back when it was written. */
    public final boolean isGivenUp() {
        return (stage & STAGES) == GIVEN_UP;
    }

    /**
     * True if it names keys. A node of a cluster refuses a call whose keys are elsewhere; one without keys, which is meant for
     * the node that has its slot, is answered by any node with what that has.
     */
    public boolean namesKeys() {
        return true;
    }

    /** True if it goes ahead of ordinary calls: as its script does, unless it has to stay behind an earlier call. */
    public boolean isUrgent() {
        return script.isUrgent();
    }

    /** For transports, each time before a call is written: false if it was taken back. */
    public boolean beginWriting() {
        int now = stage;
        return (now & STAGES) == WAITING && STAGE.compareAndSet(this, now, now | WRITTEN);
    }

    /**
     * For transports to several nodes: one has refused the call, or has not been written to, and another one is to have it. From
     * now on it is as one that was never written.
     *
     * @return false if it was given up or taken back
     */
    public final boolean sendOn() {
        int now = stage;
        boolean isOpen = (now & STAGES) == WAITING || (now & STAGES) == WRITTEN;
        return isOpen && STAGE.compareAndSet(this, now, (now & ~STAGES) + ONCE);
    }

    /** It was done by other calls, some of which may have gone to another node. */
    protected final void countRedirection() {
        STAGE.getAndAdd(this, ONCE);
    }

    /** How often it was sent on. */
    public final int redirections() {
        return stage / ONCE;
    }

    /**
     * Writes keys, then arguments, straight into the transport's buffer. Must give the same bytes every time that
     * {@link #run} is the same.
     */
    public abstract void encode(Args out);

    /**
     * The deadline has passed and there is no answer yet. Called at most once. A call that was never written is not
     * overdue: it ends with {@link #onFault} and is not sent any more.
     */
    public abstract void onOverdue();

    /**
     * The server's answer; valid only during this method.
     *
     * @throws UnexpectedReplyException if it is none that the script gives; nothing was done with it, and {@link #onFault}
     *     has yet to be called
     */
    public abstract void onReply(Reply reply);

    /** There will be no answer. */
    public abstract void onFault(Fault fault);
}
