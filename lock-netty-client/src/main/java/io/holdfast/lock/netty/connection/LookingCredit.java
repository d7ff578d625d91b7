package io.holdfast.lock.netty.connection;

/**
 * Whether it pays to look for something before sleeping. Each time that it came while it was looked for earns credit, each look in vain
 * costs some. Without credit it pays no more, but for a trial now and then; with a single processor it never does.
 *
 * <p>Any thread: of two that look at a time one may lose its change, which costs or saves a look.
 */
@SuppressWarnings("NonAtomicVolatileUpdate")
public final class LookingCredit {

    private static final int MOST = 32;
    private static final int FOR_A_FIND = 3;
    private static final int SLEEPS_BETWEEN_TRIALS = 32;
    private static final boolean MAY_LOOK = Runtime.getRuntime().availableProcessors() > 1;

    private volatile int credit = MOST;
    private volatile int sleeps;

    /** Whether to look. */
    public boolean pays() {
        if (!MAY_LOOK) {
            return false;
        }
        if (credit > 0) {
            return true;
        }
        sleeps = (sleeps + 1) % SLEEPS_BETWEEN_TRIALS;
        return sleeps == 0;
    }

    /** It came while it was looked for. */
    public void found() {
        credit = Math.min(MOST, credit + FOR_A_FIND);
    }

    /** It did not come. */
    public void foundNothing() {
        credit = Math.max(0, credit - 1);
    }

    /** Others want the processor more. */
    public void crowded() {
        credit = 0;
    }
}
