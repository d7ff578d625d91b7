package io.holdfast.lock.examples.fair;

/** One process's way through the queue: when what happened, in nanoseconds since its round began; -1 if not yet. */
final class Visit {

    static final long NOT_YET = -1;

    private final int process;
    private long askedNanos = NOT_YET;
    private long frozenNanos = NOT_YET;
    private long thawedNanos = NOT_YET;
    private long grantedNanos = NOT_YET;
    private long releasedNanos = NOT_YET;

    Visit(int process) {
        this.process = process;
    }

    void ask(long nanos) {
        askedNanos = nanos;
    }

    void freeze(long fromNanos, long untilNanos) {
        frozenNanos = fromNanos;
        thawedNanos = untilNanos;
    }

    void grant(long nanos) {
        grantedNanos = nanos;
    }

    void release(long nanos) {
        releasedNanos = nanos;
    }

    int process() {
        return process;
    }

    long askedNanos() {
        return askedNanos;
    }

    long grantedNanos() {
        return grantedNanos;
    }

    long releasedNanos() {
        return releasedNanos;
    }

    long waitedNanos() {
        return grantedNanos - askedNanos;
    }

    boolean isOver() {
        return releasedNanos != NOT_YET;
    }

    /** What it did at a moment. */
    State at(long nanos) {
        if (askedNanos == NOT_YET || nanos < askedNanos) {
            return State.AWAY;
        }
        if (releasedNanos != NOT_YET && nanos >= releasedNanos) {
            return State.DONE;
        }
        if (frozenNanos != NOT_YET && nanos >= frozenNanos && nanos < thawedNanos) {
            return State.FROZEN;
        }
        return grantedNanos != NOT_YET && nanos >= grantedNanos ? State.HOLDS : State.WAITS;
    }

    /** What a process can do. */
    enum State {
        AWAY("", ' '),
        WAITS("waits", '.'),
        FROZEN("frozen", 'z'),
        HOLDS("holds", '#'),
        DONE("done", ' ');

        private final String word;
        private final char sign;

        State(String word, char sign) {
            this.word = word;
            this.sign = sign;
        }

        String word() {
            return word;
        }

        /** In a picture. */
        char sign() {
            return sign;
        }
    }
}
