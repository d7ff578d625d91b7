package io.holdfast.lock.engine.step;

import io.holdfast.lock.spi.Args;

/** Writes the guard's key behind those of a step, and its arguments behind the step's. */
final class TermArgs implements Args {

    private final Args out;
    private final byte[] term;
    private boolean keysEnded;

    TermArgs(Args out, byte[] term) {
        this.out = out;
        this.term = term;
    }

    /** The step has written all that is its own. */
    void end(long epoch, long pauseMillis, boolean early) {
        endKeys();
        out.arg(epoch).arg(pauseMillis).arg(early ? 1 : 0);
    }

    private void endKeys() {
        if (!keysEnded) {
            keysEnded = true;
            out.key(term);
        }
    }

    @Override
    public Args key(byte[] key) {
        out.key(key);
        return this;
    }

    @Override
    public Args key(byte[] start, byte[] end) {
        out.key(start, end);
        return this;
    }

    @Override
    public Args key(byte[] start, byte[] middle, byte[] end) {
        out.key(start, middle, end);
        return this;
    }

    @Override
    public Args arg(byte[] value) {
        endKeys();
        out.arg(value);
        return this;
    }

    @Override
    public Args arg(byte[] start, byte[] end) {
        endKeys();
        out.arg(start, end);
        return this;
    }

    @Override
    public Args arg(byte[] start, byte[] middle, byte[] end) {
        endKeys();
        out.arg(start, middle, end);
        return this;
    }

    @Override
    public Args arg(long value) {
        endKeys();
        out.arg(value);
        return this;
    }
}
