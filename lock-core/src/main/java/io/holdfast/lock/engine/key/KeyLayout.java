package io.holdfast.lock.engine.key;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How locks are called in Redis under one key scheme and prefix: what the names of all such locks share. */
public final class KeyLayout {

    private static final String NAME_START = ":{";
    private static final String NAME_END = "}";
    private static final String CHANNEL_END_TEXT = ":free";
    private static final byte[] CHANNEL_END = utf8(CHANNEL_END_TEXT);
    private static final byte[] NOTHING = {};

    private static final String CHANNEL = "redisson_lock__channel";
    private static final String COUNTER = "redisson_lock_token";

    /** All channels of locks with Redisson's keys, as ACL rules name them. */
    public static final String REDISSON_CHANNELS = CHANNEL + ":*";

    /** The same of the counters of their tokens. */
    public static final String REDISSON_COUNTERS = COUNTER + ":*";

    /** What Holdfast keeps under its prefix besides locks: the ends of whole keys, and what others begin with. */
    private static final List<String> OWN_KEYS = List.of(":term", ":marker");

    private static final List<String> OWN_STARTS = List.of(":token:{", ":fenced:{", ":client:{", ":wait:");

    private final boolean redisson;
    private final boolean fenced;
    private final String prefix;
    private final byte[] keyStart;
    private final byte[] clockStart;
    private final int hash;

    private KeyLayout(KeyScheme scheme, String prefix, boolean fenced) {
        this.redisson = scheme == KeyScheme.REDISSON;
        this.fenced = fenced && redisson;
        this.prefix = prefix;
        this.keyStart = redisson ? NOTHING : utf8(prefix + NAME_START);
        this.clockStart = utf8(prefix + ":token:{");
        this.hash = Arrays.hashCode(keyStart);
    }

    public static KeyLayout of(LockOptions options) {
        return new KeyLayout(options.keyScheme(), options.prefix(), false);
    }

    /** The naming of fenced locks. They are called like others; with Redisson's keys, each has a counter of its tokens. */
    public static KeyLayout ofFenced(LockOptions options) {
        return new KeyLayout(options.keyScheme(), options.prefix(), true);
    }

    /** What a lock is called, whose name is checked. */
    public LockKeys keys(String name) {
        LockKeys.check("lock name", name);
        if (redisson && !LockKeys.tag(name).equals(LockKeys.tag(beside(CHANNEL, name)))) {
            throw new IllegalArgumentException("lock name '" + Printable.of(name)
                    + "': its braces would put key and channel into different slots in the redisson scheme"
                    + " (expected: no braces, or one {tag})");
        }
        if (redisson && isOwnKey(name)) {
            throw new IllegalArgumentException(
                    "lock name '" + Printable.of(name)
                            + "': in the redisson scheme that is a key of Holdfast's own (expected: another name, or another prefix)");
        }
        return new LockKeys(this, utf8(redisson ? name : LockKeys.escape(name) + NAME_END));
    }

    /** Whether a key may be that of a lock of this name, under any scheme and prefix. */
    public static boolean mayName(String key, String name) {
        String end = NAME_START + LockKeys.escape(name) + NAME_END;
        return key.equals(name) || (key.endsWith(end) && !isBesideLocks(key.substring(0, key.length() - end.length())));
    }

    /** Whether it is what stands before the names of tokens' clocks or of fenced values. */
    private static boolean isBesideLocks(String start) {
        return OWN_STARTS.stream().anyMatch(own -> (start + NAME_START).endsWith(own));
    }

    /** Whether a lock whose key is its name would take the place of something else. */
    private boolean isOwnKey(String name) {
        if (!name.startsWith(prefix)) {
            return false;
        }
        String end = name.substring(prefix.length());
        return OWN_KEYS.contains(end) || OWN_STARTS.stream().anyMatch(end::startsWith);
    }

    /** The name of the lock whose key has this end. */
    String nameOf(byte[] keyEnd) {
        return redisson
                ? new String(keyEnd, StandardCharsets.UTF_8)
                : LockKeys.unescape(new String(keyEnd, 0, keyEnd.length - NAME_END.length(), StandardCharsets.UTF_8));
    }

    /** What begins all that Holdfast keeps besides locks, and with its own keys the locks too. */
    public String prefix() {
        return prefix;
    }

    /** The lock with this key; null if no lock of this naming is called so. */
    public @Nullable LockKeys ofKey(String key) {
        String start = new String(keyStart, StandardCharsets.UTF_8);
        if (!redisson && !(key.startsWith(start) && key.endsWith(NAME_END) && key.length() > start.length() + 1)) {
            return null;
        }
        try {
            String name =
                    redisson ? key : LockKeys.unescape(key.substring(start.length(), key.length() - NAME_END.length()));
            LockKeys keys = keys(name);
            return keys.key().equals(key) ? keys : null;
        } catch (IllegalArgumentException noName) {
            return null;
        }
    }

    /** The pattern by which a server finds the keys of locks whose names begin so. */
    public byte[] pattern(String nameStart) {
        String literal = redisson ? nameStart : prefix + NAME_START + LockKeys.escape(nameStart);
        StringBuilder pattern = new StringBuilder();
        literal.chars().forEach(character -> {
            if ("*?[]\\^-".indexOf(character) >= 0) {
                pattern.append('\\');
            }
            pattern.append((char) character);
        });
        return utf8(pattern + (redisson ? "*" : "*}"));
    }

    /** Whether the hash of a lock has a place for the token. */
    public boolean keepsToken() {
        return !redisson;
    }

    /** Whether Redisson's clients may be among those who want its locks. */
    public boolean sharesWithRedisson() {
        return redisson;
    }

    /** Whether each of its locks has a counter of its tokens from the first one on, and not only if there is one already. */
    public boolean countsTokens() {
        return fenced;
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
            out.arg(utf8(beside(CHANNEL, nameOf(keyEnd))));
        } else {
            out.arg(keyStart, keyEnd, CHANNEL_END);
        }
    }

    /** The channel of the lock with this key. */
    byte[] channelBytes(String key) {
        return utf8(redisson ? beside(CHANNEL, key) : key + CHANNEL_END_TEXT);
    }

    /** All of a token clock's key but its end, which is the slot's. */
    byte[] clockStart() {
        return clockStart;
    }

    /** The key of the counter of Redisson's tokens, for the lock whose key has this end. */
    byte[] counterBytes(byte[] keyEnd) {
        return utf8(beside(COUNTER, nameOf(keyEnd)));
    }

    /** What Redisson calls that which it keeps beside a lock. */
    private static String beside(String what, String name) {
        return name.contains("{") ? what + ':' + name : what + ":{" + name + '}';
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
