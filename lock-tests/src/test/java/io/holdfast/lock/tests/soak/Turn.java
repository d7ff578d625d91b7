package io.holdfast.lock.tests.soak;

/**
 * What is known of one hold while it lasts, to be told as a {@link Claim}.
 *
 * <p>The clock is read before the hold's state is asked for: a hold that is valid when asked was valid at that time too,
 * because a lost one never revives.
 */
final class Turn {

    private final String lock;
    private final String owner;
    private final Held held;

    private long firstNanos;
    private long lastNanos;
    private boolean seenValid;
    private long token;
    private long written;
    private boolean maybeWritten;

    Turn(String lock, String owner, Held held) {
        this.lock = lock;
        this.owner = owner;
        this.held = held;
    }

    /** Asks whether the hold is valid, and for how long. */
    void look() {
        long nowNanos = System.nanoTime();
        if (!held.isValid()) {
            return;
        }
        if (!seenValid) {
            seenValid = true;
            firstNanos = nowNanos;
        }
        lastNanos = Math.max(lastNanos, nowNanos);
        long againNanos = System.nanoTime();
        long leftNanos = held.validForNanos();
        if (leftNanos > 0) {
            lastNanos = Math.max(lastNanos, againNanos + leftNanos);
        }
    }

    /** The hold is about to be given back, and claims nothing beyond this. */
    void endsNow() {
        lastNanos = Math.min(lastNanos, System.nanoTime());
    }

    void token(long fencingToken) {
        token = fencingToken;
    }

    void wrote(long number, Counter.Written outcome) {
        written = outcome == Counter.Written.YES ? number : 0;
        maybeWritten = outcome == Counter.Written.PERHAPS;
    }

    /** What to tell of it. */
    Claim claim() {
        return seenValid
                ? new Claim(lock, owner, firstNanos, lastNanos, token, written, maybeWritten)
                : new Claim(lock, owner, 1, 0, token, written, maybeWritten);
    }
}
