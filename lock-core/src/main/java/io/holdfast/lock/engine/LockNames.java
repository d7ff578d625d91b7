package io.holdfast.lock.engine;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A lock's name, checked, and what it is called in Redis: key, channel and token clock, all in one slot. */
final class LockNames {

    private static final int MAX_NAME_BYTES = 1024;

    final String name;
    final String key;
    final byte[] keyBytes;
    final byte[] channelBytes;
    final byte[] clockBytes;
    final int slot;
    /** Whether the hash has a place for the token. */
    final boolean keepsToken;
    /** One for each store, where they may differ; else empty. */
    private final List<LockNames> members;

    private LockNames(String name, String key, List<LockNames> members) {
        LockNames first = members.get(0);
        this.name = name;
        this.key = key;
        this.keyBytes = first.keyBytes;
        this.channelBytes = first.channelBytes;
        this.clockBytes = first.clockBytes;
        this.slot = first.slot;
        this.keepsToken = first.keepsToken;
        this.members = List.copyOf(members);
    }

    private LockNames(String name, String key, String channel, String prefix, boolean keepsToken) {
        this.name = name;
        this.key = key;
        this.keyBytes = utf8(key);
        this.channelBytes = utf8(channel);
        this.slot = Slots.of(keyBytes);
        this.clockBytes = utf8(prefix + ":token:{" + Slots.tag(slot) + '}');
        this.keepsToken = keepsToken;
        this.members = List.of();
    }

    /** What the lock is called at a store. */
    LockNames at(Store store) {
        return members.isEmpty() ? this : members.get(store.index());
    }

    /** A lock over several stores, each of which may call it differently. */
    static LockNames over(List<LockNames> members) {
        String name = members.stream().map(member -> member.name).distinct().collect(Collectors.joining("+"));
        String key = members.stream().map(member -> member.key).collect(Collectors.joining("\n"));
        return new LockNames(name, key, members);
    }

    static LockNames of(String name, LockOptions options) {
        check("lock name", name);
        return options.keyScheme() == KeyScheme.REDISSON
                ? redisson(name, options.prefix())
                : holdfast(name, options.prefix());
    }

    /** The key of a fenced value, whose name follows the same rules. */
    static byte[] fencedKey(String name, String prefix) {
        check("value name", name);
        return utf8(prefix + ":fenced:{" + escape(name) + '}');
    }

    private static LockNames holdfast(String name, String prefix) {
        String key = prefix + ":{" + escape(name) + '}';
        return new LockNames(name, key, key + ":free", prefix, true);
    }

    private static LockNames redisson(String name, String prefix) {
        String channel =
                name.contains("{") ? "redisson_lock__channel:" + name : "redisson_lock__channel:{" + name + '}';
        if (!tag(name).equals(tag(channel))) {
            throw new IllegalArgumentException("lock name '" + name
                    + "': its braces would put key and channel into different slots in the redisson scheme"
                    + " (expected: no braces, or one {tag})");
        }
        return new LockNames(name, name, channel, prefix, false);
    }

    /** The part of a key that Redis hashes. */
    private static String tag(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }

    /** Escapes braces, so that the whole name is the tag; and the escape character, so that names stay distinct. */
    private static String escape(String name) {
        if (name.indexOf('{') < 0 && name.indexOf('}') < 0 && name.indexOf('%') < 0) {
            return name;
        }
        return name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }

    private static void check(String what, String name) {
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
        return new IllegalArgumentException(what + " '" + name.substring(0, 32) + "...' has " + length
                + " bytes or more (expected: at most " + MAX_NAME_BYTES + ")");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return name;
    }
}
