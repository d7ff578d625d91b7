package io.holdfast.lock.netty.resp;

import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a server said: a plain value, or a list of them.
 *
 * <p>Immutable by convention: {@link #bytes()} hands out the array itself. A value owns its memory and may be kept.
 */
public final class RespValue implements Reply {

    /** What a value is. */
    public enum Kind {
        INTEGER,
        BOOLEAN,
        /** A short text, such as {@code OK}. */
        SIMPLE,
        /** Bytes; also RESP3's verbatim strings, without their format. */
        BULK,
        /** A floating-point number, kept as the text that it is on the wire: nothing here computes with it. */
        DOUBLE,
        /** A whole number of any length, kept as text. */
        BIG_NUMBER,
        ERROR,
        NULL,
        ARRAY,
        SET,
        /** Keys and values in turn. */
        MAP,
        /** What the server says unasked: a published message, for one. */
        PUSH
    }

    static final RespValue NULL = new RespValue(Kind.NULL, 0, new byte[0], new RespValue[0]);

    private static final byte[] NO_BYTES = NULL.bytes;
    private static final RespValue[] NO_ELEMENTS = NULL.elements;
    private static final RespValue TRUE = new RespValue(Kind.BOOLEAN, 1, NO_BYTES, NO_ELEMENTS);
    private static final RespValue FALSE = new RespValue(Kind.BOOLEAN, 0, NO_BYTES, NO_ELEMENTS);

    /** Scripts answer with flags and small counts: those cost nothing. */
    private static final RespValue[] SMALL_INTEGERS = smallIntegers();

    private final Kind kind;
    private final long integer;
    private final byte[] bytes;
    private final RespValue[] elements;

    private RespValue(Kind kind, long integer, byte[] bytes, RespValue[] elements) {
        this.kind = kind;
        this.integer = integer;
        this.bytes = bytes;
        this.elements = elements;
    }

    static RespValue integer(long value) {
        return value >= 0 && value < SMALL_INTEGERS.length
                ? SMALL_INTEGERS[(int) value]
                : new RespValue(Kind.INTEGER, value, NO_BYTES, NO_ELEMENTS);
    }

    static RespValue bool(boolean value) {
        return value ? TRUE : FALSE;
    }

    static RespValue text(Kind kind, byte[] bytes) {
        return new RespValue(kind, 0, bytes, NO_ELEMENTS);
    }

    static RespValue list(Kind kind, RespValue[] elements) {
        return new RespValue(kind, 0, NO_BYTES, elements);
    }

    public Kind kind() {
        return kind;
    }

    @Override
    public boolean isNull() {
        return kind == Kind.NULL;
    }

    public boolean isError() {
        return kind == Kind.ERROR;
    }

    /** Whether this has elements to {@link #get}, if only none. */
    public boolean isList() {
        return switch (kind) {
            case ARRAY, SET, MAP, PUSH -> true;
            default -> false;
        };
    }

    /** The number of elements; 0 for anything but a list. A map has two per entry. */
    @Override
    public int size() {
        return elements.length;
    }

    @Override
    public RespValue get(int index) {
        if (index >= elements.length) {
            throw new UnexpectedReplyException("no element " + index + ": " + this);
        }
        return elements[index];
    }

    /** The integer; a boolean is 1 or 0, as in RESP2; a numeric text is parsed. */
    @Override
    public long integer() {
        return switch (kind) {
            case INTEGER, BOOLEAN -> integer;
            case SIMPLE, BULK, BIG_NUMBER -> parsed();
            default -> throw new UnexpectedReplyException("not an integer: " + this);
        };
    }

    @Override
    public long integer(int index) {
        return get(index).integer();
    }

    /** The text of anything but a list or null, for which there is none. */
    @Override
    public @Nullable String text() {
        return switch (kind) {
            case INTEGER, BOOLEAN -> Long.toString(integer);
            case SIMPLE, BULK, DOUBLE, BIG_NUMBER, ERROR -> new String(bytes, StandardCharsets.UTF_8);
            case NULL, ARRAY, SET, MAP, PUSH -> null;
        };
    }

    @Override
    public @Nullable String text(int index) {
        return get(index).text();
    }

    /** The text that a map has under a name; empty if it has none, or if this is no map. */
    public String entry(String name) {
        for (int i = 0; i + 1 < elements.length; i += 2) {
            if (name.equals(elements[i].text())) {
                String text = elements[i + 1].text();
                return text == null ? "" : text;
            }
        }
        return "";
    }

    /** The bytes of a text or an error, not a copy; empty for anything else. */
    @Override
    public byte[] bytes() {
        return bytes;
    }

    /** The first word of an error, by which errors are told apart, such as {@code NOSCRIPT}. */
    public String errorCode() {
        String text = errorText();
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(0, space);
    }

    /** The whole of an error. Servers quote commands that they don't know, so it may hold what was sent to them. */
    public String errorText() {
        if (!isError()) {
            throw new IllegalStateException("not an error: " + this);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** What kind of value this is and how large, but not what it says: that may be a secret. */
    @Override
    public String toString() {
        return switch (kind) {
            case INTEGER, BOOLEAN -> kind + " " + integer;
            case NULL -> kind.toString();
            case ERROR -> kind + " " + Printable.of(errorCode());
            case SIMPLE, BULK, DOUBLE, BIG_NUMBER -> kind + " of " + bytes.length + " bytes";
            case ARRAY, SET, MAP, PUSH -> kind + " of " + elements.length + " elements";
        };
    }

    private long parsed() {
        try {
            return Decimal.parse(bytes, bytes.length);
        } catch (NumberFormatException malformed) {
            throw new UnexpectedReplyException("not an integer: " + this, malformed);
        }
    }

    private static RespValue[] smallIntegers() {
        RespValue[] values = new RespValue[128];
        for (int i = 0; i < values.length; i++) {
            values[i] = new RespValue(Kind.INTEGER, i, NO_BYTES, NO_ELEMENTS);
        }
        return values;
    }
}
