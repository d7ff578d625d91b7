package io.holdfast.lock.engine.key;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * What a condition of a lock is called, and what its keys have behind that of the lock. Its name follows the rules of locks; it is
 * escaped like them, so that no key of a condition ends like one of a lock.
 */
public final class ConditionName {

    public final String name;
    private final byte[] awaiting;
    private final byte[] present;

    public ConditionName(String name) {
        LockKeys.check("condition name", name);
        this.name = name;
        this.awaiting = KeyLayout.utf8(":cond:" + LockKeys.escape(name));
        this.present = KeyLayout.utf8(":cond-seen:" + LockKeys.escape(name));
    }

    /** Writes the keys of a lock with a queue, that of the condition, and that of who is present there. */
    public void writeKeys(LockKeys lock, Args out) {
        lock.writeQueueKeys(out);
        lock.writeKeyBeside(awaiting, out);
        lock.writeKeyBeside(present, out);
    }

    /** Writes the key of the condition of a lock. */
    public Args writeKey(LockKeys lock, Args out) {
        lock.writeKeyBeside(awaiting, out);
        return out;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConditionName that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** For messages. */
    @Override
    public String toString() {
        return Printable.of(name);
    }
}
