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

    static {
        try {
            STAGE = MethodHandles.lookup().findVarHandle(ScriptCall.class, "stage", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** What is run. */
    public final Script script;

    /** The hash slot of all keys of this call. */
    public final int slot;

    /** When the engine sent it on its way, on the runtime's monotonic clock. */
    public final long sentNanos;

    /** When the caller stops waiting, on the same clock. */
    public final long deadlineNanos;

    /** The server process to which the call was written last; the transport sets it just before. */
    public ServerRun run = ServerRun.UNKNOWN;

    private volatile int stage = WAITING;

    protected ScriptCall(Script script, int slot, long sentNanos, long deadlineNanos) {
        this.script = script;
        this.slot = slot;
        this.sentNanos = sentNanos;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Takes the call back unless the transport has begun to write it. Any thread, any number of times. A call that was
     * taken back ends with {@link #onFault} when its turn comes.
     *
     * @return whether it has no effect and never will
     */
    public final boolean takeBack() {
        return STAGE.compareAndSet(this, WAITING, TAKEN_BACK) || stage == TAKEN_BACK;
    }

    /** Whether it goes ahead of ordinary calls: as its script does, unless it has to stay behind an earlier call. */
    public boolean isUrgent() {
        return script.isUrgent();
    }

    /** For transports, once, before a call is written for the first time: false if it was taken back. */
    public final boolean beginWriting() {
        return STAGE.compareAndSet(this, WAITING, WRITTEN);
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
