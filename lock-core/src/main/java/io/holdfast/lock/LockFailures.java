package io.holdfast.lock;

import java.util.Optional;

/** What exceptions share. */
final class LockFailures {

    private LockFailures() {}

    /** A text that is empty where something is not known. */
    static Optional<String> known(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
