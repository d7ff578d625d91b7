package io.holdfast.lock.engine.key;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.text.Printable;

/**
 * What a count-down latch or a signal is called, whose name follows the rules of locks: its keys and its channel, all in the slot
 * of the lock of the same name, of which it is another object.
 */
public final class SharedKeys {

    private static final String LATCH = "latch";
    private static final String SIGNAL = "signal";

    /** What it is, for messages. */
    public final String kind;

    public final String name;
    public final int slot;
    private final String keyText;
    private final byte[] key;
    private final byte[] counted;
    private final byte[] channel;
    private final byte[] clock;

    private SharedKeys(String kind, String name, String prefix) {
        LockKeys.check(kind + " name", name);
        this.kind = kind;
        this.name = name;
        this.keyText = prefix + ":{" + LockKeys.escape(name) + "}:" + kind;
        this.key = KeyLayout.utf8(keyText);
        this.slot = Slots.of(key);
        this.counted = KeyLayout.utf8(keyText + ":counted");
        this.channel = KeyLayout.utf8(keyText + ":free");
        this.clock = KeyLayout.utf8(prefix + ":token:{" + Slots.tag(slot) + '}');
    }

    public static SharedKeys latch(String name, String prefix) {
        return new SharedKeys(LATCH, name, prefix);
    }

    public static SharedKeys signal(String name, String prefix) {
        return new SharedKeys(SIGNAL, name, prefix);
    }

    public byte[] channelBytes() {
        return channel.clone();
    }

    /** Writes its key. */
    public Args writeKey(Args out) {
        return out.key(key);
    }

    /** Writes a latch's key, and that of those who counted. */
    public Args writeLatch(Args out) {
        return out.key(key).key(counted);
    }

    /** Writes the same, and what generations are minted by. */
    public Args writeLatchAndClock(Args out) {
        return writeLatch(out).key(clock);
    }

    /** Writes the channel as an argument. */
    public Args writeChannel(Args out) {
        return out.arg(channel);
    }

    /** What it is and is called, for messages. */
    public Named named() {
        return new Named(kind, name);
    }

    /** Its key as a text: a latch and a signal of one name differ in it. */
    public String key() {
        return keyText;
    }

    /** For messages. */
    @Override
    public String toString() {
        return Printable.of(keyText);
    }
}
