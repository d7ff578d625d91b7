package io.holdfast.lock.engine.key;

import io.holdfast.lock.spi.Args;

/**
 * What a semaphore is called: its name, and its keys and its channel, all in the slot of the lock of the same name, of which it is
 * another object.
 */
public final class PermitKeys extends LockKeys {

    private static final byte[] PERMITS = KeyLayout.utf8(":permits");
    private static final byte[] LIMIT = KeyLayout.utf8(":limit");
    private static final byte[] QUEUE = KeyLayout.utf8(":permits:queue");
    private static final byte[] SEEN = KeyLayout.utf8(":permits:seen");
    private static final byte[] CHANNEL = KeyLayout.utf8(":permits:free");

    /** @param lock what the lock of that name is called, not in Redisson's scheme */
    public PermitKeys(LockKeys lock) {
        super(lock);
    }

    @Override
    public Named named() {
        return new Named("semaphore", name());
    }

    @Override
    public byte[] keyBytes() {
        return join(super.keyBytes(), PERMITS);
    }

    @Override
    public byte[] channelBytes() {
        return join(super.keyBytes(), CHANNEL);
    }

    @Override
    public void writeChannel(Args out) {
        out.arg(channelBytes());
    }

    @Override
    public Args writeKey(Args out) {
        return writeBeside(PERMITS, out);
    }

    /** Writes the keys of its permits and its limit. */
    public Args writePermitsAndLimit(Args out) {
        return writeBeside(LIMIT, writeKey(out));
    }

    @Override
    public Args writeQueue(Args out) {
        return writeBeside(QUEUE, out);
    }

    /** Writes the keys of its permits, of what gives them their tokens, of its limit, its queue, and who was seen in that. */
    @Override
    public void writeQueueKeys(Args out) {
        writeKeyAndClock(out);
        writeBeside(SEEN, writeBeside(QUEUE, writeBeside(LIMIT, out)));
    }
}
