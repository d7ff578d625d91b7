package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Objects;
import java.util.Optional;

/**
 * Which locks of a store {@link LockClient#locks} looks for, and how far. Immutable.
 *
 * <p>A pattern is one of names, by characters: {@code *} is any text, {@code ?} a character, {@code [a-f]} one of several,
 * {@code [^a-f]} any other, and {@code \} takes the meaning of what follows away. The server looks for what a pattern begins
 * with, so one that begins with {@code *} has every lock sent here.
 */
public final class LockQuery {

    private static final long MAX_KEYS = 10_000_000;
    private static final int PAGE_SIZE = 1_000;
    private static final int MOST_ON_A_PAGE = 10_000;

    private final NamePattern names;
    private final String pattern;
    private final Optional<LockOptions> options;
    private final long maxKeys;
    private final int pageSize;

    private LockQuery(NamePattern names, String pattern, Optional<LockOptions> options, long maxKeys, int pageSize) {
        this.names = names;
        this.pattern = pattern;
        this.options = options;
        this.maxKeys = maxKeys;
        this.pageSize = pageSize;
    }

    /** All locks. */
    public static LockQuery all() {
        return pattern("*");
    }

    /** The locks whose names begin with this, whatever its characters are. */
    public static LockQuery prefix(String prefix) {
        return pattern(NamePattern.ofPrefix(Objects.requireNonNull(prefix, "prefix")));
    }

    /**
     * The locks whose names match a pattern.
     *
     * @throws IllegalArgumentException if it is empty, malformed, or longer than 2,049 characters
     */
    public static LockQuery pattern(String pattern) {
        NamePattern names = NamePattern.of(Objects.requireNonNull(pattern, "pattern"));
        return new LockQuery(names, pattern, Optional.empty(), MAX_KEYS, PAGE_SIZE);
    }

    /** This query, for locks with options of their own: their key scheme and prefix say where they are. */
    public LockQuery withOptions(LockOptions lockOptions) {
        return new LockQuery(names, pattern, Optional.of(lockOptions), maxKeys, pageSize);
    }

    /** This query, ended after so many keys of each server were looked at, whether they are locks or not. */
    public LockQuery withMaxKeys(long keys) {
        if (keys < 1) {
            throw new IllegalArgumentException("maxKeys: " + keys + " (expected: 1 or more)");
        }
        return new LockQuery(names, pattern, options, keys, pageSize);
    }

    /** This query, with so many keys looked at by one request, about: a server may look at more at once. */
    public LockQuery withPageSize(int keys) {
        return new LockQuery(names, pattern, options, maxKeys, Options.between(1, MOST_ON_A_PAGE, "pageSize", keys));
    }

    /** Whether a lock of this name is asked for. */
    public boolean matches(String name) {
        return names.matches(name);
    }

    /** What the names begin with that are asked for. */
    public String start() {
        return names.start();
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
