package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;

/**
 * An {@link InstantStore} that grants everything, remembers nothing and makes no objects, in the time of the machine: what
 * is left is what the engine itself takes.
 */
public final class InstantBackend extends InstantStore implements Reply {

    private long tokens;

    @Override
    public void send(ScriptCall call) {
        tokens++;
        call.beginWriting();
        call.onReply(this);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    /** Everything has happened before a caller could wait. */
    @Override
    public boolean mayWait() {
        return true;
    }

    // --- reply: {1, token} ---

    @Override
    public int size() {
        return 2;
    }

    @Override
    public long integer() {
        return 1;
    }

    @Override
    public long integer(int index) {
        return index == 0 ? 1 : tokens;
    }

    @Override
    public String text() {
        return "1";
    }

    @Override
    public String text(int index) {
        return Long.toString(integer(index));
    }

    @Override
    public byte[] bytes() {
        return new byte[0];
    }

    @Override
    public Reply get(int index) {
        return this;
    }

    @Override
    public boolean isNull() {
        return false;
    }
}
