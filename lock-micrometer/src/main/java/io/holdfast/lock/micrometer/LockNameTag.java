package io.holdfast.lock.micrometer;

import io.holdfast.lock.text.Printable;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the tag {@code lock} of a meter says. A tag has at most 100 values, since each is a time series that a monitoring system
 * keeps: names beyond them are counted as {@code other}, and one warning says so. Immutable.
 */
public final class LockNameTag {

    private enum Form {
        NONE,
        EXACT,
        MASKED
    }

    private static final LockNameTag NONE = new LockNameTag(Form.NONE, Set.of());
    private static final LockNameTag MASKED = new LockNameTag(Form.MASKED, Set.of());

    private final Form form;
    private final Set<String> names;

    private LockNameTag(Form form, Set<String> names) {
        this.form = form;
        this.names = names;
    }

    /** No tag: each meter counts all locks. */
    public static LockNameTag none() {
        return NONE;
    }

    /** The names of these locks; all others are {@code other}. Their meters are there with zero from the start. */
    public static LockNameTag exact(String... names) {
        return exact(List.of(names));
    }

    /** As {@link #exact(String...)}. */
    public static LockNameTag exact(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("names: none (expected: 1 or more)");
        }
        for (String name : names) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("names: one is empty (expected: names of locks)");
            }
        }
        return new LockNameTag(Form.EXACT, Collections.unmodifiableSet(new LinkedHashSet<>(names)));
    }

    /**
     * The lock's name with {@code *} for what tells one thing of a kind from another: a UUID, digits, and letters and digits in a
     * row that are a number in base 16. So {@code order:4711} and {@code order:4712} are both {@code order:*}.
     */
    public static LockNameTag masked() {
        return MASKED;
    }

    /** Whether meters have the tag. */
    boolean isChosen() {
        return form != Form.NONE;
    }

    /** The values that are known before any lock is used. */
    Set<String> known() {
        return names;
    }

    /** What the tag is to say for this lock. */
    String valueOf(String lockName) {
        return switch (form) {
            case NONE -> "";
            case EXACT -> names.contains(lockName) ? lockName : TagValues.OTHER;
            case MASKED -> Mask.of(lockName);
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockNameTag that && form == that.form && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(form, names);
    }

    @Override
    public String toString() {
        return switch (form) {
            case NONE -> "none";
            case EXACT -> Printable.of("exact" + names);
            case MASKED -> "masked";
        };
    }
}
