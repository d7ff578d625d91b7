package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Objects;
import java.util.Optional;

/** Which locks of a store {@link LockClient#locks} looks for, and how far. Immutable. */
public final class LockQuery {

    private final String pattern;
    private final Optional<LockOptions> options;
    private final long maxKeys;
    private final int pageSize;

    private LockQuery(String pattern, Optional<LockOptions> options, long maxKeys, int pageSize) {
        this.pattern = pattern;
        this.options = options;
        this.maxKeys = maxKeys;
        this.pageSize = pageSize;
    }

    /** All locks. */
    public static LockQuery all() {
        return new LockQuery("*", Optional.empty(), 10_000_000, 1_000);
    }

    /** The locks whose names begin with this. */
    public static LockQuery prefix(String prefix) {
        StringBuilder literal = new StringBuilder();
        Objects.requireNonNull(prefix, "prefix").chars().forEach(character -> {
            if ("*?[]\\^-".indexOf(character) >= 0) {
                literal.append('\\');
            }
            literal.append((char) character);
        });
        return pattern(literal + "*");
    }

    /** The locks whose names match this: {@code *} stands for any text, {@code ?} for a character, {@code [ab]} for one of several. */
    public static LockQuery pattern(String pattern) {
        return new LockQuery(Objects.requireNonNull(pattern, "pattern"), Optional.empty(), 10_000_000, 1_000);
    }

    /** This query, for locks with options of their own: their key scheme and prefix say where they are. */
    public LockQuery withOptions(LockOptions lockOptions) {
        return new LockQuery(pattern, Optional.of(lockOptions), maxKeys, pageSize);
    }

    /** This query, ended after so many keys of each server were looked at, whether they are locks or not. */
    public LockQuery withMaxKeys(long keys) {
        if (keys < 1) {
            throw new IllegalArgumentException("maxKeys: " + keys + " (expected: 1 or more)");
        }
        return new LockQuery(pattern, options, keys, pageSize);
    }

    /** This query, with so many keys looked at by one request. */
    public LockQuery withPageSize(int keys) {
        if (keys < 1 || keys > 10_000) {
            throw new IllegalArgumentException("pageSize: " + keys + " (expected: 1 to 10,000)");
        }
        return new LockQuery(pattern, options, maxKeys, keys);
    }

    /** What the names have to match. */
    public String pattern() {
        return pattern;
    }

    /** The locks' options; empty for the client's own. */
    public Optional<LockOptions> options() {
        return options;
    }

    /** How many keys of each server are looked at, at most. */
    public long maxKeys() {
        return maxKeys;
    }

    /** How many keys one request looks at. */
    public int pageSize() {
        return pageSize;
    }

    @Override
    public String toString() {
        return "LockQuery{pattern=" + Printable.of(pattern) + ", maxKeys=" + maxKeys + ", pageSize=" + pageSize + '}';
    }
}
