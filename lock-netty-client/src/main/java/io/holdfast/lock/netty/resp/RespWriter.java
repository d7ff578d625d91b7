package io.holdfast.lock.netty.resp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Writes commands: arrays of bulk strings, the same in RESP2 and RESP3. */
public final class RespWriter {

    private static final int LINE_END = '\r' << 8 | '\n';
    private static final int LINE_END_BYTES = 2;

    private RespWriter() {}

    /** Appends a command, whole or not at all. */
    public static void command(ByteBuf out, byte[]... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("a command of 0 parts (expected: at least its name)");
        }
        int bytes = headerLength(parts.length);
        for (byte[] part : parts) {
            bytes = Math.addExact(bytes, bulkLength(part.length));
        }
        out.ensureWritable(bytes);
        header(out, '*', parts.length);
        for (byte[] part : parts) {
            bulk(out, part);
        }
    }

    /** Appends a command whose parts are texts, in UTF-8. */
    public static void command(ByteBuf out, String... parts) {
        byte[][] encoded = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            encoded[i] = parts[i].getBytes(StandardCharsets.UTF_8);
        }
        command(out, encoded);
    }

    static void header(ByteBuf out, char type, int length) {
        out.writeByte(type);
        Decimal.write(out, length);
        endLine(out);
    }

    static int headerLength(int length) {
        return 1 + Decimal.length(length) + LINE_END_BYTES;
    }

    static void bulk(ByteBuf out, byte[] value) {
        header(out, '$', value.length);
        out.writeBytes(value);
        endLine(out);
    }

    /** Appends a bulk string of three pieces. */
    static void bulk(ByteBuf out, byte[] start, byte[] middle, byte[] end) {
        header(out, '$', start.length + middle.length + end.length);
        out.writeBytes(start).writeBytes(middle).writeBytes(end);
        endLine(out);
    }

    static void bulk(ByteBuf out, long value) {
        header(out, '$', Decimal.length(value));
        Decimal.write(out, value);
        endLine(out);
    }

    static int bulkLength(int length) {
        return Math.addExact(headerLength(length) + LINE_END_BYTES, length);
    }

    static void endLine(ByteBuf out) {
        out.writeShort(LINE_END);
    }
}
