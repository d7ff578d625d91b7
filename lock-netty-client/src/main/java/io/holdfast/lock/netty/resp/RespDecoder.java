package io.holdfast.lock.netty.resp;

import io.holdfast.lock.netty.resp.RespValue.Kind;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of RESP2 and RESP3: one state machine that takes bytes as they come and remembers where it was.
 *
 * <p>Each byte is looked at once, however the stream is cut into buffers. Buffers stay the caller's: values are copied
 * out of them, because nearly all that a lock client reads is shorter than a buffer's bookkeeping, and a value that
 * owns its memory can't leak. Lists are built on a stack of frames rather than by recursion, so that depth costs memory
 * that {@link RespLimits} bounds, and not the thread's stack. A numbered answer, {@code *2}, a number and the answer, is
 * read as the answer alone: the number becomes no value.
 *
 * <p>A bulk string over a limit is read past and left out: null stands in its place, and {@link #leftOutBytes} tells.
 * Of an error, the end of a line over the limit is left out.
 *
 * <p>Attributes are read and dropped. Streamed strings and lists are refused: no server sends them to a client. After a
 * violation the decoder stays failed; it never looks for a place to go on. For one thread at a time.
 */
public final class RespDecoder {

    /** What {@link #number} says of a message that carries none. */
    public static final long NO_NUMBER = -1;

    /** What comes next. */
    private enum State {
        TYPE,
        LINE,
        LINE_FEED,
        BODY,
        LEFT_OUT,
        BODY_RETURN,
        BODY_FEED
    }

    /** How much was read of what is around a numbered answer: {@code *2}, the number, the answer itself. */
    private enum Envelope {
        NONE,
        HEADER,
        NUMBER,
        OPENED
    }

    private static final String NOT_NUMBERED = "an answer without its number";

    private static final byte[] NO_BYTES = new byte[0];

    private final RespLimits limits;
    private final RespLine line = new RespLine();
    private final RespStack stack = new RespStack();

    private State state = State.TYPE;

    private Envelope envelope = Envelope.NONE;

    private long number = NO_NUMBER;

    /** The type of the value being read. */
    private byte type;

    /** Whether the message being read is a push. */
    private boolean push;

    /** What has arrived of a bulk string, in an array that grows up to the announced length and no further. */
    private byte[] body = NO_BYTES;

    private boolean isLeftOut;
    private int bodyBytes;
    private int bodyLength;

    /** How much is to come of a string that is left out, and how much of the latest message was left out. */
    private long unreadBytes;

    private long leftOutBytes;

    /** How many bytes were read since the connection began, and until the current message began. */
    private long position;

    private long messageStart;

    private @Nullable RespProtocolException failure;

    public RespDecoder(RespLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads up to the end of the next message.
     *
     * @param in the bytes that came; read, but neither released nor kept
     * @return the message, after which there may be more in the buffer; or null once the buffer is used up
     * @throws RespProtocolException if this isn't RESP or exceeds a limit, and at every call after that
     */
    public @Nullable RespValue decode(ByteBuf in) {
        return decode(in, false);
    }

    /**
     * Reads up to the end of the next message, of which {@link #number} then tells the number.
     *
     * @param numbered whether the next message, unless it is a push or an error, must be a list of a number and an
     *     answer; that answer is what is returned, and nothing is made of the rest. It counts as long as nothing was
     *     read of that message.
     */
    public @Nullable RespValue decode(ByteBuf in, boolean numbered) {
        if (failure != null) {
            throw new RespProtocolException(failure);
        }
        while (in.isReadable()) {
            RespValue message =
                    switch (state) {
                        case TYPE -> readType(in, numbered);
                        case LINE -> readLine(in);
                        case LINE_FEED -> readLineFeed(in);
                        case BODY -> readBody(in);
                        case LEFT_OUT -> readPast(in);
                        case BODY_RETURN -> readBodyReturn(in);
                        case BODY_FEED -> readBodyFeed(in);
                    };
            if (message != null) {
                messageStart = position;
                envelope = Envelope.NONE;
                return message;
            }
        }
        return null;
    }

    /** The number that the latest message came with. */
    public long number() {
        return number;
    }

    /** How many bytes were read of an answer that is not complete; 0 if there is none, or if it is a push. */
    public long answerBytes() {
        return push ? 0 : position - messageStart;
    }

    /** How many bytes of the latest message were left out, since a string was over a limit: null stands there. */
    public long leftOutBytes() {
        return leftOutBytes;
    }

    private @Nullable RespValue readType(ByteBuf in, boolean numbered) {
        type = next(in);
        switch (type) {
            case '+', '-', ':', '_', '#', ',', '(', '$', '!', '=', '*', '~', '%', '|' -> {}
            case '>' -> {
                if (stack.depth() > 0 || envelope == Envelope.OPENED) {
                    throw fail("a push inside another value");
                }
            }
            case ';', '.' -> throw fail("streamed values are not supported, got " + show(type));
            default -> throw fail("expected the type of a value, got " + show(type));
        }
        if (envelope == Envelope.NUMBER) {
            check(type == ':', NOT_NUMBERED);
        } else if (envelope == Envelope.NONE && stack.depth() == 0) {
            beginMessage(numbered);
        }
        line.clear();
        state = State.LINE;
        return null;
    }

    private void beginMessage(boolean numbered) {
        number = NO_NUMBER;
        push = type == '>';
        leftOutBytes = 0;
        if (numbered && type != '-' && type != '!' && type != '>' && type != '|') {
            check(type == '*', NOT_NUMBERED);
            envelope = Envelope.HEADER;
        }
    }

    private @Nullable RespValue readLine(ByteBuf in) {
        while (in.isReadable()) {
            byte next = next(in);
            if (next == '\r') {
                state = State.LINE_FEED;
                return null;
            }
            if (next == '\n') {
                throw fail("a line feed without a carriage return before it");
            }
            if (line.length() < limits.maxLineBytes()) {
                line.append(next);
            } else if (type != '-') {
                throw fail("a line of more than " + limits.maxLineBytes() + " bytes, the limit");
            }
        }
        return null;
    }

    private @Nullable RespValue readLineFeed(ByteBuf in) {
        expect('\n', next(in));
        state = State.TYPE;
        return switch (envelope) {
            case HEADER -> {
                check(announcedLength() == 2, NOT_NUMBERED);
                envelope = Envelope.NUMBER;
                yield null;
            }
            case NUMBER -> {
                number = number("an integer");
                check(number >= 0, "a negative number of an answer");
                envelope = Envelope.OPENED;
                yield null;
            }
            case NONE, OPENED -> endOfLine();
        };
    }

    private @Nullable RespValue endOfLine() {
        return switch (type) {
            case '$', '!', '=' -> beginBody();
            case '*', '~', '%', '>', '|' -> beginList();
            default -> stack.add(lineValue());
        };
    }

    private RespValue lineValue() {
        return switch (type) {
            case '+' -> RespValue.text(Kind.SIMPLE, line.copy());
            case '-' -> RespValue.text(Kind.ERROR, line.copy());
            case ':' -> RespValue.integer(number("an integer"));
            case '_' -> {
                check(line.length() == 0, "a null that says more");
                yield RespValue.NULL;
            }
            case '#' -> {
                check(line.is('t') || line.is('f'), "a boolean that is neither t nor f");
                yield RespValue.bool(line.is('t'));
            }
            case ',' -> {
                check(line.isFloatingPoint(), "a floating-point number that is none");
                yield RespValue.text(Kind.DOUBLE, line.copy());
            }
            default -> {
                check(line.isBigNumber(), "a big number that is none");
                yield RespValue.text(Kind.BIG_NUMBER, line.copy());
            }
        };
    }

    private @Nullable RespValue beginBody() {
        long length = announcedLength();
        if (length == -1) {
            return stack.add(RespValue.NULL);
        }
        check(type != '=' || length >= 4, "a verbatim string without a format");
        long roomBytes = limits.maxMessageBytes() - keptBytes() - 2;
        long mostBytes = Math.min(limits.maxBulkBytes(), roomBytes);
        isLeftOut = length > mostBytes;
        if (isLeftOut) {
            leaveOut(length, mostBytes);
            return null;
        }
        bodyBytes = 0;
        bodyLength = (int) length;
        state = bodyLength == 0 ? State.BODY_RETURN : State.BODY;
        return null;
    }

    /** Skips a string: its length is known, and so where the stream goes on. An error would be taken for an answer. */
    private void leaveOut(long length, long mostBytes) {
        if (type == '!' || length > RespLimits.LONGEST_LEFT_OUT) {
            throw fail("a bulk string of " + length + " bytes (limit: " + mostBytes + ")");
        }
        leftOutBytes += length;
        unreadBytes = length;
        state = State.LEFT_OUT;
    }

    private @Nullable RespValue readPast(ByteBuf in) {
        int arrived = (int) Math.min(in.readableBytes(), unreadBytes);
        in.skipBytes(arrived);
        position += arrived;
        unreadBytes -= arrived;
        if (unreadBytes == 0) {
            state = State.BODY_RETURN;
        }
        return null;
    }

    private @Nullable RespValue readBody(ByteBuf in) {
        int arrived = Math.min(in.readableBytes(), bodyLength - bodyBytes);
        if (bodyBytes + arrived > body.length) {
            // Memory follows the bytes that came, not those that were announced.
            long room = Math.max(2L * body.length, bodyBytes + arrived);
            body = Arrays.copyOf(body, (int) Math.min(room, bodyLength));
        }
        in.readBytes(body, bodyBytes, arrived);
        position += arrived;
        bodyBytes += arrived;
        if (bodyBytes == bodyLength) {
            state = State.BODY_RETURN;
        }
        return null;
    }

    private @Nullable RespValue readBodyReturn(ByteBuf in) {
        expect('\r', next(in));
        state = State.BODY_FEED;
        return null;
    }

    private @Nullable RespValue readBodyFeed(ByteBuf in) {
        expect('\n', next(in));
        state = State.TYPE;
        if (isLeftOut) {
            return stack.add(RespValue.NULL);
        }
        byte[] bytes = body;
        body = NO_BYTES;
        return stack.add(
                switch (type) {
                    case '!' -> RespValue.text(Kind.ERROR, bytes);
                    case '=' -> {
                        check(bytes[3] == ':', "a verbatim string without a format");
                        yield RespValue.text(Kind.BULK, Arrays.copyOfRange(bytes, 4, bytes.length));
                    }
                    default -> RespValue.text(Kind.BULK, bytes);
                });
    }

    private @Nullable RespValue beginList() {
        long announced = announcedLength();
        if (announced == -1) {
            return stack.add(RespValue.NULL);
        }
        check(type != '>' || announced > 0, "a push that doesn't say what it is");
        if (stack.depth() == limits.maxDepth()) {
            throw fail("lists nested deeper than " + limits.maxDepth() + ", the limit");
        }
        boolean pairs = type == '%' || type == '|';
        int room = limits.maxElements() - stack.announced();
        if (announced > (pairs ? room / 2 : room)) {
            throw fail("a message of more than " + limits.maxElements() + " elements, the limit, with the " + announced
                    + (pairs ? " entries" : " elements") + " of this list");
        }
        int length = (int) (pairs ? 2 * announced : announced);
        return switch (type) {
            case '|' -> {
                stack.beginAttribute(length);
                yield null;
            }
            case '~' -> stack.begin(Kind.SET, length);
            case '%' -> stack.begin(Kind.MAP, length);
            case '>' -> stack.begin(Kind.PUSH, length);
            default -> stack.begin(Kind.ARRAY, length);
        };
    }

    /** What a header announces, or -1 for the null that RESP2 spells as a string or an array. */
    private long announcedLength() {
        check(!line.is('?'), "streamed values are not supported");
        long length = number("a length");
        check(length >= 0 || (length == -1 && (type == '$' || type == '*')), "a negative length");
        return length;
    }

    private long number(String what) {
        try {
            return line.number();
        } catch (NumberFormatException malformed) {
            throw fail(what + " that is not a number of 64 bits");
        }
    }

    private byte next(ByteBuf in) {
        position++;
        if (keptBytes() > limits.maxMessageBytes()) {
            throw fail("a message of more than " + limits.maxMessageBytes() + " bytes, the limit");
        }
        return in.readByte();
    }

    /** How much of the current message counts towards its limit: what is left out costs no memory. */
    private long keptBytes() {
        return position - messageStart - leftOutBytes;
    }

    private void expect(char expected, byte got) {
        if (got != expected) {
            throw fail("expected " + show((byte) expected) + ", got " + show(got));
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw fail(otherwise + ", type " + show(type));
        }
    }

    private RespProtocolException fail(String what) {
        stack.clear();
        body = NO_BYTES;
        failure = new RespProtocolException("byte " + (position - 1) + " of the stream: " + what);
        return failure;
    }

    private static String show(byte value) {
        String hex = String.format("0x%02x", value & 0xff);
        return value > ' ' && value < 0x7f ? "'" + (char) value + "' (" + hex + ")" : hex;
    }
}
