package io.holdfast.lock.engine.key;

import io.holdfast.lock.text.Printable;

/**
 * What a call is about, for messages.
 *
 * @param kind what it is: {@code lock}, {@code latch}
 * @param name as the user gave it
 */
public record Named(String kind, String name) {

    @Override
    public String toString() {
        return kind + " '" + Printable.of(name) + "'";
    }
}
