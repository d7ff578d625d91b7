package io.holdfast.lock.engine;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import java.nio.charset.StandardCharsets;

/** How locks are called in Redis under one key scheme and prefix: what the names of all such locks share. */
final class Naming {

    private static final String NAME_START = ":{";
    private static final String NAME_END = "}";
    private static final byte[] CHANNEL_END = utf8(":free");
    private static final byte[] NOTHING = {};

    private final boolean redisson;
    private final String prefix;
    private final byte[] clockStart;

    private Naming(KeyScheme scheme, String prefix) {
        this.redisson = scheme == KeyScheme.REDISSON;
        this.prefix = prefix;
        this.clockStart = utf8(prefix + ":token:{");
    }

    static Naming of(LockOptions options) {
        return new Naming(options.keyScheme(), options.prefix());
    }

    /** What a lock is called, whose name is checked. */
    LockNames names(String name) {
        LockNames.check("lock name", name);
        if (redisson && !LockNames.tag(name).equals(LockNames.tag(redissonChannel(name)))) {
            throw new IllegalArgumentException("lock name '" + name
                    + "': its braces would put key and channel into different slots in the redisson scheme"
                    + " (expected: no braces, or one {tag})");
        }
        return new LockNames(this, utf8(redisson ? name : prefix + NAME_START + LockNames.escape(name) + NAME_END));
    }

    /** The name of the lock with this key. */
    String nameOf(String key) {
        return redisson
                ? key
                : LockNames.unescape(
                        key.substring(prefix.length() + NAME_START.length(), key.length() - NAME_END.length()));
    }

    /** Whether the hash of a lock has a place for the token. */
    boolean keepsToken() {
        return !redisson;
    }

    /** All of a channel but its end. */
    byte[] channelStart(LockNames names) {
        return redisson ? utf8(redissonChannel(names.name())) : names.keyBytes;
    }

    byte[] channelEnd() {
        return redisson ? NOTHING : CHANNEL_END;
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
