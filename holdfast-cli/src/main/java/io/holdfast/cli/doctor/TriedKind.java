package io.holdfast.cli.doctor;

/** A kind of lock that a {@link LockTrial} tries. */
public enum TriedKind {
    PLAIN("plain"),
    FAIR("fair"),
    READ_WRITE("read/write"),
    SEMAPHORE("semaphore"),
    LATCH("latch");

    private final String words;

    TriedKind(String words) {
        this.words = words;
    }

    /** What it is called in tables. */
    public String words() {
        return words;
    }
}
