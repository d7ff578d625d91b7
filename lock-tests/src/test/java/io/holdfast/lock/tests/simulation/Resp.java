package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.resp.RespValue;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** What a simulated server says, for those parts of the production transport that read it. */
final class Resp {

    private Resp() {}

    /** @param words what an error says, from its dash on */
    static RespValue error(String words) {
        return value(words + "\r\n");
    }

    /** @param wire what a server sends, as its protocol has it */
    static RespValue value(String wire) {
        RespValue value = new RespDecoder(RespLimits.DEFAULT)
                .decode(Unpooled.wrappedBuffer(wire.getBytes(StandardCharsets.UTF_8)));
        if (value == null) {
            throw new IllegalStateException("half a value: " + wire);
        }
        return value;
    }
}
