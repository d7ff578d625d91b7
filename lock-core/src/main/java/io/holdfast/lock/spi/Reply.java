package io.holdfast.lock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A server's answer to a script: an integer, a text, nothing, or a list of answers. Never an error.
 *
 * <p>Asking for what the answer is not, or for an element that it does not have, throws an
 * {@link UnexpectedReplyException}.
 */
public interface Reply {

    /** The number of elements; 0 for anything but a list. */
    int size();

    /** The integer; a numeric text is parsed. */
    long integer();

    /** The integer at an index of a list. */
    long integer(int index);

    /** The text, decoded as UTF-8, of a text or an integer; null when there is none. */
    @Nullable
    String text();

    /** The text at an index of a list. */
    @Nullable
    String text(int index);

    /** The bytes of a text, which may be none in UTF-8; empty for anything else. Not to be changed: they may be the answer's own. */
    byte[] bytes();

    /** The element at an index of a list. */
    Reply get(int index);

    /** True if this is the null answer. */
    boolean isNull();
}
