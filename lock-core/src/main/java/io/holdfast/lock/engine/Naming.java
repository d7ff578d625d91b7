package io.holdfast.lock.engine;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How locks are called in Redis under one key scheme and prefix: what the names of all such locks share. */
final class Naming {

    private static final String NAME_START = ":{";
    private static final String NAME_END = "}";
    private static final String CHANNEL_END_TEXT = ":free";
    private static final byte[] CHANNEL_END = utf8(CHANNEL_END_TEXT);
    private static final byte[] NOTHING = {};

    private final boolean redisson;
    private final byte[] keyStart;
    private final byte[] clockStart;
    private final int hash;

    private Naming(KeyScheme scheme, String prefix) {
        this.redisson = scheme == KeyScheme.REDISSON;
        this.keyStart = redisson ? NOTHING : utf8(prefix + NAME_START);
        this.clockStart = utf8(prefix + ":token:{");
        this.hash = Arrays.hashCode(keyStart);
    }

    static Naming of(LockOptions options) {
        return new Naming(options.keyScheme(), options.prefix());
    }

    /** What a lock is called, whose name is checked. */
    LockNames names(String name) {
        LockNames.check("lock name", name);
        if (redisson && !LockNames.tag(name).equals(LockNames.tag(redissonChannel(name)))) {
            throw new IllegalArgumentException("lock name '" + Printable.of(name)
                    + "': its braces would put key and channel into different slots in the redisson scheme"
                    + " (expected: no braces, or one {tag})");
        }
        return new LockNames(this, utf8(redisson ? name : LockNames.escape(name) + NAME_END));
    }

    /** The name of the lock whose key has this end. */
    String nameOf(byte[] keyEnd) {
        return redisson
                ? new String(keyEnd, StandardCharsets.UTF_8)
                : LockNames.unescape(new String(keyEnd, 0, keyEnd.length - NAME_END.length(), StandardCharsets.UTF_8));
    }

    /** Whether the hash of a lock has a place for the token. */
    boolean keepsToken() {
        return !redisson;
    }

    /** What all keys begin with. */
    byte[] keyStart() {
        return keyStart;
    }

    /** The hash code of the lock whose key has this end. */
    int hash(byte[] keyEnd) {
        return 31 * hash + Arrays.hashCode(keyEnd);
    }

    /** Writes the channel of the lock whose key has this end. */
    void writeChannel(byte[] keyEnd, Args out) {
        if (redisson) {
            out.arg(utf8(redissonChannel(nameOf(keyEnd))));
        } else {
            out.arg(keyStart, keyEnd, CHANNEL_END);
        }
    }

    /** The channel of the lock with this key. */
    byte[] channelBytes(String key) {
        return utf8(redisson ? redissonChannel(key) : key + CHANNEL_END_TEXT);
    }

    /** All of a token clock's key but its end, which is the slot's. */
    byte[] clockStart() {
        return clockStart;
    }

    private static String redissonChannel(String name) {
        return name.contains("{") ? "redisson_lock__channel:" + name : "redisson_lock__channel:{" + name + '}';
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
