package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;

/** A context in which none or several of the {@link io.holdfast.lock.LockClient} beans may be meant. */
public final class NoLockClientException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final boolean noneIsThere;

    NoLockClientException(String message, boolean noneIsThere) {
        super(Printable.message(message));
        this.noneIsThere = noneIsThere;
    }

    /** Whether the context has no such bean at all. */
    public boolean noneIsThere() {
        return noneIsThere;
    }
}
