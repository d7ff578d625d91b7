package io.holdfast.lock.tests.fuzz;

import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.resp.RespProtocolException;
import io.holdfast.lock.netty.resp.RespValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * A server that sends anything: the decoder finds messages and at most one violation, the same however the stream is cut,
 * and after the violation nothing more; whether answers have to be numbered or not.
 */
public final class DecoderTarget {

    /** Low, so that short streams reach them. */
    private static final RespLimits TIGHT = new RespLimits(100, 50, 4, 20, 400);

    private DecoderTarget() {}

    /** What a fuzzer calls first, by this name: loading Netty takes seconds, which are not the first stream's. */
    public static void fuzzerInitialize() {
        fuzzerTestOneInput("+OK\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** What a fuzzer calls, by this name. */
    public static void fuzzerTestOneInput(byte[] stream) {
        for (boolean numbered : new boolean[] {false, true}) {
            check(TIGHT, stream, numbered);
            check(RespLimits.DEFAULT, stream, numbered);
        }
    }

    private static void check(RespLimits limits, byte[] stream, boolean numbered) {
        String whole = decode(limits, stream, numbered, Math.max(1, stream.length));
        for (int pieceBytes : new int[] {1, 3}) {
            String pieces = decode(limits, stream, numbered, pieceBytes);
            if (!pieces.equals(whole)) {
                throw new AssertionError("in pieces of " + pieceBytes + " bytes: " + pieces + "\nin one: " + whole);
            }
        }
    }

    private static String decode(RespLimits limits, byte[] stream, boolean numbered, int pieceBytes) {
        RespDecoder decoder = new RespDecoder(limits);
        StringBuilder seen = new StringBuilder();
        for (int from = 0; from < stream.length; from += pieceBytes) {
            ByteBuf piece = Unpooled.wrappedBuffer(stream, from, Math.min(pieceBytes, stream.length - from));
            try {
                for (RespValue message = decoder.decode(piece, numbered);
                        message != null;
                        message = decoder.decode(piece, numbered)) {
                    seen.append(decoder.number()).append(' ');
                    show(message, seen);
                }
            } catch (RespProtocolException violation) {
                staysFailed(decoder);
                return seen.append(violation.getMessage()).toString();
            }
            if (piece.isReadable()) {
                throw new AssertionError(piece.readableBytes() + " bytes were left unread");
            }
        }
        return seen.toString();
    }

    private static void staysFailed(RespDecoder decoder) {
        try {
            decoder.decode(Unpooled.wrappedBuffer(new byte[] {'+', '\r', '\n'}));
        } catch (RespProtocolException again) {
            return;
        }
        throw new AssertionError("the decoder went on after a violation");
    }

    private static void show(RespValue value, StringBuilder to) {
        to.append(value).append(' ');
        switch (value.kind()) {
            case SIMPLE, BULK, DOUBLE, BIG_NUMBER, ERROR ->
                to.append(new String(value.bytes(), StandardCharsets.ISO_8859_1))
                        .append(' ');
            default -> {
                for (int i = 0; i < value.size(); i++) {
                    show(value.get(i), to);
                }
            }
        }
    }
}
