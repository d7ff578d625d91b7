package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;

/** What tests say of the wire: bytes as Latin-1 text, decoded messages as readable text. */
final class Wire {

    private Wire() {}

    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    static ByteBuf buffer(String latin1) {
        return Unpooled.wrappedBuffer(bytes(latin1));
    }

    /** Decodes a stream cut at the given places. A violation becomes the last line. */
    static List<String> decode(RespLimits limits, byte[] stream, int... cuts) {
        return decode(limits, stream, false, cuts);
    }

    /** The same where answers have to be numbered: {@code 7: "a"}. */
    static List<String> decodeNumbered(RespLimits limits, byte[] stream, int... cuts) {
        return decode(limits, stream, true, cuts);
    }

    private static List<String> decode(RespLimits limits, byte[] stream, boolean numbered, int... cuts) {
        RespDecoder decoder = new RespDecoder(limits);
        List<String> seen = new ArrayList<>();
        int from = 0;
        try {
            for (int cut : cuts) {
                feed(decoder, stream, from, cut, numbered, seen);
                from = cut;
            }
            feed(decoder, stream, from, stream.length, numbered, seen);
        } catch (RespProtocolException violation) {
            seen.add("violation: " + violation.getMessage());
        }
        return seen;
    }

    static List<String> decode(String stream) {
        return decode(RespLimits.DEFAULT, bytes(stream));
    }

    /** The next message, which must be there. */
    static RespValue next(RespDecoder decoder, ByteBuf in) {
        return Objects.requireNonNull(decoder.decode(in), "a message");
    }

    private static void feed(
            RespDecoder decoder, byte[] stream, int from, int to, boolean numbered, List<String> seen) {
        ByteBuf part = Unpooled.copiedBuffer(stream, from, to - from);
        try {
            for (RespValue message = decoder.decode(part, numbered);
                    message != null;
                    message = decoder.decode(part, numbered)) {
                boolean hasNumber = decoder.number() != RespDecoder.NO_NUMBER;
                seen.add((hasNumber ? decoder.number() + ": " : "") + show(message));
            }
        } finally {
            assertThat(part.refCnt()).as("references to the buffer").isEqualTo(1);
            part.release();
        }
    }

    /** A message as text: {@code [1, "a", null]}. */
    static String show(RespValue value) {
        String kind = value.kind().name().toLowerCase(Locale.ROOT);
        return switch (value.kind()) {
            case NULL -> "null";
            case INTEGER -> Long.toString(value.integer());
            case BULK -> "\"" + latin1(value) + "\"";
            case BOOLEAN -> value.integer() == 1 ? "true" : "false";
            case SIMPLE, ERROR, DOUBLE, BIG_NUMBER -> kind + " " + latin1(value);
            case ARRAY -> elements(value);
            case SET, MAP, PUSH -> kind + " " + elements(value);
        };
    }

    private static String elements(RespValue list) {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (int i = 0; i < list.size(); i++) {
            joined.add(show(list.get(i)));
        }
        return joined.toString();
    }

    private static String latin1(RespValue value) {
        return new String(value.bytes(), StandardCharsets.ISO_8859_1);
    }
}
