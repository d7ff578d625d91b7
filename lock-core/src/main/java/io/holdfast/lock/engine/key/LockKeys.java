package io.holdfast.lock.engine.key;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.text.Printable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a lock is called: its name, checked, and its key, channel and token clock in Redis, all in one slot. There is one
 * for each lock that is held, so it keeps only what is its own of the key; all else is put together where it is written
 * or told.
 */
public class LockKeys {

    private static final int MAX_NAME_BYTES = 1024;
    private static final byte[] READERS = KeyLayout.utf8(":readers");
    private static final byte[] QUEUE = KeyLayout.utf8(":queue");
    private static final byte[] SEEN = KeyLayout.utf8(":seen");
    private static final byte[] TURNS = KeyLayout.utf8(":turns");
    private static final byte[] LEADER = KeyLayout.utf8(":leader");

    public final KeyLayout layout;
    public final int slot;
    /** What the key does not have in common with all of its naming. */
    private final byte[] keyEnd;

    LockKeys(KeyLayout layout, byte[] keyEnd) {
        this.layout = layout;
        this.keyEnd = keyEnd;
        this.slot = Slots.of(keyBytes());
    }

    /** Called like another lock. */
    LockKeys(LockKeys other) {
        this.layout = other.layout;
        this.keyEnd = other.keyEnd;
        this.slot = other.slot;
    }

    public static LockKeys of(String name, LockOptions options) {
        return KeyLayout.of(options).keys(name);
    }

    /** What the lock is called at a store. */
    public LockKeys at(Store store) {
        return this;
    }

    /** The name as the user gave it; messages show {@link #toString}. */
    public String name() {
        return layout.nameOf(keyEnd);
    }

    /** What it is and is called, for messages. */
    public Named named() {
        return new Named("lock", name());
    }

    /** The key as a text. */
    public String key() {
        return new String(keyBytes(), StandardCharsets.UTF_8);
    }

    public byte[] keyBytes() {
        return join(layout.keyStart(), keyEnd);
    }

    public byte[] channelBytes() {
        return layout.channelBytes(key());
    }

    public byte[] clockBytes() {
        return join(layout.clockStart(), Slots.tagEnd(slot));
    }

    /** The channel as a text. */
    public String channel() {
        return new String(channelBytes(), StandardCharsets.UTF_8);
    }

    /** The key of the token clock as a text. */
    public String clock() {
        return new String(clockBytes(), StandardCharsets.UTF_8);
    }

    /** The key of the counter of Redisson's tokens as a text. */
    public String counter() {
        return new String(counterBytes(), StandardCharsets.UTF_8);
    }

    byte[] counterBytes() {
        return layout.counterBytes(keyEnd);
    }

    /** Writes the channel as an argument. */
    public void writeChannel(Args out) {
        layout.writeChannel(keyEnd, out);
    }

    /** Writes the lock's key. */
    public Args writeKey(Args out) {
        return out.key(layout.keyStart(), keyEnd);
    }

    /** Writes the key of something beside the lock. */
    final Args writeBeside(byte[] end, Args out) {
        return out.key(layout.keyStart(), keyEnd, end);
    }

    /** Writes the key of the token clock. */
    public void writeClock(Args out) {
        out.key(layout.clockStart(), Slots.tagEnd(slot));
    }

    /** Writes the lock's key and that of its token clock. */
    public void writeKeyAndClock(Args out) {
        writeClock(writeKey(out));
    }

    /** Writes the keys of a lock that has readers: its own, its token clock, and its readers. */
    public Args writeReaderKeys(Args out) {
        writeKeyAndClock(out);
        return writeBeside(READERS, out);
    }

    /** Writes the key of its readers. */
    public Args writeReaders(Args out) {
        return writeBeside(READERS, out);
    }

    /** Writes the key of its queue. */
    public Args writeQueue(Args out) {
        return writeBeside(QUEUE, out);
    }

    /** Writes the key of the word of clients that wait for their turn. */
    public Args writeTurns(Args out) {
        return writeBeside(TURNS, out);
    }

    /** Writes the keys of a lock with a queue: those of one that has readers, the queue, and who was seen in it. */
    public void writeQueueKeys(Args out) {
        writeBeside(SEEN, writeBeside(QUEUE, writeReaderKeys(out)));
    }

    /** Writes the keys of all that can be seen of the lock: its own, and where it can have a queue its readers and the queue. */
    public Args writeInspectedKeys(Args out) {
        writeKey(out);
        return layout.sharesWithRedisson() ? out : writeBeside(QUEUE, writeBeside(READERS, out));
    }

    /** Writes the keys of all that a search sees of the lock: always three, the lock's own in the place of those that it can't have. */
    public void writeSearchedKeys(Args out) {
        writeInspectedKeys(out);
        if (layout.sharesWithRedisson()) {
            writeKey(writeKey(out));
        }
    }

    /** Writes the keys of the lock and of its readers. */
    public Args writeKeyAndReaders(Args out) {
        return writeBeside(READERS, writeKey(out));
    }

    /** Writes the keys of the lock and of the record that says who leads while it holds it. */
    Args writeLeaderKeys(Args out) {
        return writeKey(out).key(layout.keyStart(), keyEnd, LEADER);
    }

    /** The key of that record, which is the name of a channel too. */
    byte[] leaderBytes() {
        return join(keyBytes(), LEADER);
    }

    /** Writes the key of something that is kept beside the lock. */
    void writeKeyBeside(byte[] end, Args out) {
        out.key(layout.keyStart(), keyEnd, end);
    }

    /** Writes the keys of the lock and of what gives it its tokens: the clock, and where Redisson has one the counter. */
    public void writeTokenKeys(Args out) {
        writeKeyAndClock(out);
        if (layout.sharesWithRedisson()) {
            out.key(counterBytes());
        }
    }

    /** Writes whether the lock keeps its token, and where Redisson has a counter whether to begin it. */
    public void writeTokenPlace(Args out) {
        out.arg(layout.keepsToken() ? 1 : 0);
        if (layout.sharesWithRedisson()) {
            out.arg(layout.countsTokens() ? 1 : 0);
        }
    }

    static byte[] join(byte[] start, byte[] end) {
        byte[] whole = Arrays.copyOf(start, start.length + end.length);
        System.arraycopy(end, 0, whole, start.length, end.length);
        return whole;
    }

    /** The key of a fenced value, whose name follows the same rules. */
    public static byte[] fencedKey(String name, String prefix) {
        check("value name", name);
        return KeyLayout.utf8(prefix + ":fenced:{" + escape(name) + '}');
    }

    /** The part of a key that Redis hashes. */
    static String tag(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }

    /** Escapes braces, so that the whole name is the tag; and the escape character, so that names stay distinct. */
    static String escape(String name) {
        if (name.indexOf('{') < 0 && name.indexOf('}') < 0 && name.indexOf('%') < 0) {
            return name;
        }
        return name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }

    /** The name whose escaping this is. */
    static String unescape(String escaped) {
        return escaped.indexOf('%') < 0
                ? escaped
                : escaped.replace("%7D", "}").replace("%7B", "{").replace("%25", "%");
    }

    static void check(String what, String name) {
        Objects.requireNonNull(name, what);
        if (name.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty (expected: 1 to " + MAX_NAME_BYTES + " bytes)");
        }
        if (name.length() > MAX_NAME_BYTES) {
            throw tooLong(what, name, name.length());
        }
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            if (bytes.remaining() > MAX_NAME_BYTES) {
                throw tooLong(what, name, bytes.remaining());
            }
        } catch (CharacterCodingException unpaired) {
            throw new IllegalArgumentException(
                    what + " holds an unpaired surrogate (expected: well-formed Unicode)", unpaired);
        }
    }

    private static IllegalArgumentException tooLong(String what, String name, int length) {
        return new IllegalArgumentException(what + " '" + Printable.of(name.substring(0, 32)) + "...' has " + length
                + " bytes or more (expected: at most " + MAX_NAME_BYTES + ")");
    }

    /** Whether this is the same lock, in one and the same store. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof LockKeys that
                        && getClass() == that.getClass()
                        && Arrays.equals(keyEnd, that.keyEnd)
                        && Arrays.equals(layout.keyStart(), that.layout.keyStart()));
    }

    @Override
    public int hashCode() {
        return layout.hash(keyEnd);
    }

    /** The name, for messages. */
    @Override
    public String toString() {
        return Printable.of(name());
    }
}
