package io.holdfast.lock.netty.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.resp.RespValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a node's answer says of slots, also where it does not know all. */
class SlotMapTest {

    private static final Target.Host ASKED = new Target.Host("10.0.0.1", 7_001);

    private static RespValue answer(String wire) {
        ByteBuf in = Unpooled.copiedBuffer(wire.replace(" ", "\r\n"), StandardCharsets.UTF_8);
        try {
            return Objects.requireNonNull(new RespDecoder(RespLimits.DEFAULT).decode(in));
        } finally {
            in.release();
        }
    }

    /** A node that came back as another one at its address leaves its old self without one, which has its slots still. */
    @Test
    void slotsOfAPrimaryWithoutAnAddressHaveNone() {
        String one = "*3 :0 :99 *2 $0  :0 ";
        String other = "*3 :100 :199 *2 $8 10.0.0.2 :7002 ";
        SlotMap map = SlotMap.ofSlots(answer("*2 " + one + other), ASKED);
        assertThat(map.ranges()).containsExactly(new SlotMap.Range(100, 199, new Target.Host("10.0.0.2", 7_002)));
    }

    @Test
    void theSameOfShards() {
        String health = "$6 health $6 online ";
        String one = "*4 $5 slots *2 :0 :99 $5 nodes *1 *6 $4 role $6 master $8 endpoint $0  " + health;
        String other =
                "*4 $5 slots *2 :100 :199 $5 nodes *1 *8 $4 role $6 master $4 port :7002 $8 endpoint $8 10.0.0.2 "
                        + health;
        SlotMap map = SlotMap.ofShards(answer("*2 " + one + other), ASKED, false);
        assertThat(map.ranges()).containsExactly(new SlotMap.Range(100, 199, new Target.Host("10.0.0.2", 7_002)));
    }
}
