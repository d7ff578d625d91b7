package io.holdfast.lock.engine.hold;

import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.LockKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds of one lock as they are at one time; it never changes, so that any thread may read it. Nearly every lock that is
 * held has one hold, which is its own list, as a {@link StoreLease} is.
 */
public sealed interface Holds permits Hold, HoldList {

    int size();

    Hold get(int index);

    default boolean isEmpty() {
        return size() == 0;
    }

    /** The owner's hold that includes this kind, whatever became of it. */
    default @Nullable Hold find(Owner owner, LockKind kind) {
        for (int i = 0; i < size(); i++) {
            Hold hold = get(i);
            if (hold.owner.equals(owner) && hold.kind().includes(kind)) {
                return hold;
            }
        }
        return null;
    }

    /** The owner's hold that is alive. */
    default @Nullable Hold alive(Owner owner) {
        for (int i = 0; i < size(); i++) {
            Hold hold = get(i);
            if (hold.owner.equals(owner) && hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** The owner's hold that is alive and includes this kind. */
    default @Nullable Hold alive(Owner owner, LockKind kind) {
        for (int i = 0; i < size(); i++) {
            Hold hold = get(i);
            if (hold.owner.equals(owner) && hold.kind().includes(kind) && hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** The owner's hold that decides what becomes of its call for this kind; null if the call is to ask the server. */
    default @Nullable Hold deciding(Owner owner, LockKind kind) {
        Hold including = alive(owner, kind);
        return including != null || kind.isApart() ? including : alive(owner);
    }

    /** Any hold that is alive. */
    default @Nullable Hold anyAlive() {
        for (int i = 0; i < size(); i++) {
            Hold hold = get(i);
            if (hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /** Whether a hold that is alive excludes one of this kind. */
    default boolean exclude(LockKind kind) {
        for (int i = 0; i < size(); i++) {
            Hold hold = get(i);
            if (hold.kind().excludes(kind) && hold.isAlive()) {
                return true;
            }
        }
        return false;
    }

    /** These and one more. */
    default Holds with(Hold added) {
        if (isEmpty()) {
            return added;
        }
        Hold[] all = new Hold[size() + 1];
        for (int i = 0; i < size(); i++) {
            all[i] = get(i);
        }
        all[size()] = added;
        return new HoldList(all);
    }

    /** These but one, if it is among them. */
    default Holds without(Hold removed) {
        if (size() == 1) {
            return get(0) == removed ? HoldList.NONE : this;
        }
        Hold[] left = new Hold[size()];
        int kept = 0;
        for (int i = 0; i < size(); i++) {
            if (get(i) != removed) {
                left[kept++] = get(i);
            }
        }
        if (kept == size()) {
            return this;
        }
        return kept == 1 ? left[0] : new HoldList(Arrays.copyOf(left, kept));
    }
}
