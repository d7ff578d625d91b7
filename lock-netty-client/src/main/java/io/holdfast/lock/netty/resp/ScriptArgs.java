package io.holdfast.lock.netty.resp;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes script calls: {@code EVALSHA digest count key... arg...}, or EVAL and the source where the server forgot it.
 *
 * <p>A call says its keys and arguments one after the other, without knowing how many they are, yet RESP puts both
 * counts in front. So room is left for counts of one digit, and they are filled in at the end. When a count turns
 * out longer, what follows is moved, since servers refuse leading zeros. One writer serves a
 * connection; writing a call allocates nothing but the buffer's own growth. For one thread at a time.
 */
public final class ScriptArgs implements Args {

    private static final byte[] EVALSHA = "EVALSHA".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EVAL = "EVAL".getBytes(StandardCharsets.US_ASCII);

    /** The command, the script and the number of keys. */
    private static final int PARTS_BEFORE_KEYS = 3;

    /** Counts of one digit: most calls have fewer than 10 parts. */
    private static final int FEW_PARTS = 9;

    private static final int FEW_KEYS = 1;

    private static final byte[] NOTHING = {};
    private static final long NO_TIME = -1;
    private static final long NO_NUMBER = -1;
    private static final int NO_SCRIPT = -1;

    /** Carries what is moved, piece by piece: a buffer need not support copying onto itself. */
    private final byte[] piece = new byte[512];

    private @Nullable ByteBuf out;
    private int keys;
    private int args;
    private long timeMicros = NO_TIME;

    /** The server's time, which the next call brings along: its last argument but one. */
    public void bring(long micros) {
        timeMicros = micros;
    }

    /**
     * Appends a call of a script that the server knows. Should the call's own code throw, nothing is appended.
     *
     * @param form what is run: the numbered form of the call's script
     * @param number what the answer will begin with; the last argument
     */
    public void evalsha(ByteBuf target, Script form, ScriptCall call, long number) {
        append(target, EVALSHA, form.sha1(), call, number);
    }

    /** Appends a call that brings its script along, and is otherwise the same. */
    public void eval(ByteBuf target, Script form, ScriptCall call, long number) {
        append(target, EVAL, form.source(), call, number);
    }

    /** Appends a call as a command with its arguments. */
    public void command(ByteBuf target, String command, ScriptCall call) {
        append(target, command.getBytes(StandardCharsets.US_ASCII), null, call, NO_NUMBER);
    }

    @Override
    public Args key(byte[] key) {
        return key(key, NOTHING);
    }

    @Override
    public Args key(byte[] start, byte[] end) {
        return key(start, NOTHING, end);
    }

    @Override
    public Args key(byte[] start, byte[] middle, byte[] end) {
        if (args > 0) {
            throw new IllegalStateException("key " + (keys + 1) + " comes after an argument (expected: keys first)");
        }
        RespWriter.bulk(target(), start, middle, end);
        keys++;
        return this;
    }

    @Override
    public Args arg(byte[] value) {
        return arg(value, NOTHING);
    }

    @Override
    public Args arg(byte[] start, byte[] end) {
        return arg(start, NOTHING, end);
    }

    @Override
    public Args arg(byte[] start, byte[] middle, byte[] end) {
        RespWriter.bulk(target(), start, middle, end);
        args++;
        return this;
    }

    @Override
    public Args arg(long value) {
        RespWriter.bulk(target(), value);
        args++;
        return this;
    }

    private void append(ByteBuf target, byte[] command, @Nullable String script, ScriptCall call, long number) {
        if (out != null) {
            throw new IllegalStateException("a call is being written already");
        }
        int start = target.writerIndex();
        boolean whole = false;
        out = target;
        keys = 0;
        args = 0;
        try {
            int scriptBytes = script == null ? NO_SCRIPT : ByteBufUtil.utf8Bytes(script);
            int bodyStart = start + headLength(command, scriptBytes, FEW_PARTS, FEW_KEYS);
            target.ensureWritable(bodyStart - start).writerIndex(bodyStart);
            call.encode(this);
            if (timeMicros != NO_TIME) {
                arg(timeMicros);
            }
            if (number != NO_NUMBER) {
                arg(number);
            }
            int bodyBytes = target.writerIndex() - bodyStart;
            int parts = (script == null ? 1 : PARTS_BEFORE_KEYS) + keys + args;
            int realBodyStart = start + headLength(command, scriptBytes, parts, keys);
            move(target, bodyStart, realBodyStart, bodyBytes);
            target.writerIndex(start);
            writeHead(target, command, script, scriptBytes, parts);
            target.writerIndex(realBodyStart + bodyBytes);
            whole = true;
        } finally {
            out = null;
            timeMicros = NO_TIME;
            if (!whole) {
                target.writerIndex(start);
            }
        }
    }

    private static int headLength(byte[] command, int scriptBytes, int parts, int keys) {
        return RespWriter.headerLength(parts)
                + RespWriter.bulkLength(command.length)
                + (scriptBytes == NO_SCRIPT
                        ? 0
                        : RespWriter.bulkLength(scriptBytes) + RespWriter.bulkLength(Decimal.length(keys)));
    }

    private void writeHead(ByteBuf target, byte[] command, @Nullable String script, int scriptBytes, int parts) {
        RespWriter.header(target, '*', parts);
        RespWriter.bulk(target, command);
        if (script != null) {
            RespWriter.header(target, '$', scriptBytes);
            ByteBufUtil.writeUtf8(target, script);
            RespWriter.endLine(target);
            RespWriter.bulk(target, keys);
        }
    }

    /** Moves bytes to a later place in a buffer, the last of them first. */
    private void move(ByteBuf target, int from, int to, int length) {
        target.ensureWritable(to - from);
        for (int left = length; to != from && left > 0; ) {
            int bytes = Math.min(piece.length, left);
            left -= bytes;
            target.getBytes(from + left, piece, 0, bytes);
            target.setBytes(to + left, piece, 0, bytes);
        }
    }

    private ByteBuf target() {
        if (out == null) {
            throw new IllegalStateException("no call is being written (expected: use only inside encode)");
        }
        return out;
    }
}
