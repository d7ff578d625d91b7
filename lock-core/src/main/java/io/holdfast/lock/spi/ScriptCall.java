package io.holdfast.lock.spi;

/**
 * One script call: the step and its in-flight record in one object, so that a call costs one allocation.
 *
 * <p>A transport calls {@link #encode} once for every time that it writes the call, {@link #onOverdue} at most once,
 * and then one of {@link #onReply} and {@link #onFault}, possibly long after it was overdue. An overdue call
 * keeps its place among the calls in flight: the connection stays usable and later replies still match their requests.
 */
public abstract class ScriptCall {

    /** What is run. */
    public final Script script;

    /** The hash slot of all keys of this call. */
    public final int slot;

    /** When the caller stops waiting, on the runtime's monotonic clock. */
    public final long deadlineNanos;

    /** The server process to which the call was written last; the transport sets it just before. */
    public ServerRun run = ServerRun.UNKNOWN;

    protected ScriptCall(Script script, int slot, long deadlineNanos) {
        this.script = script;
        this.slot = slot;
        this.deadlineNanos = deadlineNanos;
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
