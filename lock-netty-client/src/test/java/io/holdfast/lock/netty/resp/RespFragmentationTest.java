package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However a stream is cut into buffers, it says the same, and a violation is found at the same byte. */
class RespFragmentationTest {

    @ParameterizedTest
    @MethodSource({
        "io.holdfast.lock.netty.resp.Sample#messages",
        "io.holdfast.lock.netty.resp.Sample#violations",
    })
    void everyMessageSurvivesEveryTwoCuts(Sample sample) {
        byte[] stream = Wire.bytes(sample.wire() + ":1\r\n");
        List<String> whole = Wire.decode(RespLimits.DEFAULT, stream);

        assertThat(byteByByte(RespLimits.DEFAULT, stream)).isEqualTo(whole);
        for (int first = 0; first <= stream.length; first++) {
            for (int second = first; second <= stream.length; second++) {
                assertThat(Wire.decode(RespLimits.DEFAULT, stream, first, second))
                        .as("cut at %d and %d", first, second)
                        .isEqualTo(whole);
            }
        }
    }

    @Test
    void aStreamOfAllMessagesSurvivesEveryCut() {
        byte[] stream = Wire.bytes(Sample.stream());
        List<String> whole = Sample.messages().map(Sample::expected).toList();

        assertThat(byteByByte(RespLimits.DEFAULT, stream)).isEqualTo(whole);
        for (int cut = 0; cut <= stream.length; cut++) {
            assertThat(Wire.decode(RespLimits.DEFAULT, stream, cut))
                    .as("cut at %d", cut)
                    .isEqualTo(whole);
        }
    }

    @Test
    void aLongBulkStringGrowsPieceByPiece() {
        Random random = new Random(7);
        byte[] stream = new byte["$3000000\r\n".length() + 3_000_000 + 2];
        random.nextBytes(stream);
        System.arraycopy(Wire.bytes("$3000000\r\n"), 0, stream, 0, 10);
        System.arraycopy(Wire.bytes("\r\n"), 0, stream, stream.length - 2, 2);
        int[] cuts = IntStream.generate(() -> random.nextInt(stream.length))
                .limit(200)
                .sorted()
                .toArray();

        assertThat(Wire.decode(RespLimits.DEFAULT, stream, cuts))
                .isEqualTo(Wire.decode(RespLimits.DEFAULT, stream))
                .hasSize(1);
    }

    static List<String> byteByByte(RespLimits limits, byte[] stream) {
        return Wire.decode(limits, stream, IntStream.range(0, stream.length).toArray());
    }
}
