package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a script has answered.
 *
 * @param value a {@link Long}, a text of bytes, a list of these, or null
 */
record MemoryReply(@Nullable Object value) implements Reply {

    @Override
    public int size() {
        return value instanceof List<?> list ? list.size() : 0;
    }

    @Override
    public long integer() {
        if (value instanceof Long number) {
            return number;
        }
        try {
            return Long.parseLong(String.valueOf(text()));
        } catch (NumberFormatException none) {
            throw new UnexpectedReplyException(
                    "a script answered " + Printable.of(value) + " (expected: a number)", none);
        }
    }

    @Override
    public long integer(int index) {
        return get(index).integer();
    }

    @Override
    public @Nullable String text() {
        if (value instanceof List) {
            throw new UnexpectedReplyException("a script answered a list (expected: a text)");
        }
        return value instanceof String bytes ? utf8(bytes) : value == null ? null : value.toString();
    }

    @Override
    public @Nullable String text(int index) {
        return get(index).text();
    }

    @Override
    public byte[] bytes() {
        return value instanceof String bytes ? bytes.getBytes(StandardCharsets.ISO_8859_1) : new byte[0];
    }

    @Override
    public MemoryReply get(int index) {
        if (!(value instanceof List<?> list) || index < 0 || index >= list.size()) {
            throw new UnexpectedReplyException("a script answered no element " + index);
        }
        return new MemoryReply(list.get(index));
    }

    @Override
    public boolean isNull() {
        return value == null;
    }

    /** The text that bytes stand for, one of which each character is. */
    static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
