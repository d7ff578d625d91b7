package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random and damaged streams: messages, a typed violation, and nothing else; the same however they are cut. */
@Tag("proof")
class RespFuzzTest {

    private static final RespLimits LIMITS = new RespLimits(1_000, 100, 5, 50, 2_000);
    private static final Duration BOUND = Duration.ofSeconds(60);

    @Test
    void randomBytes() {
        Random random = new Random(1);
        Assertions.assertTimeoutPreemptively(BOUND, () -> {
            for (int i = 0; i < 20_000; i++) {
                byte[] stream = new byte[random.nextInt(100)];
                random.nextBytes(stream);
                check(stream);
            }
        });
    }

    /** Bytes that RESP is made of get further than bytes of any kind. */
    @Test
    void randomPiecesOfResp() {
        Random random = new Random(2);
        byte[] pieces = Wire.bytes("*$:+-_#,(!=~%>|?;.\r\n\r\n\r\n012345-tfaE ");
        Assertions.assertTimeoutPreemptively(BOUND, () -> {
            for (int i = 0; i < 50_000; i++) {
                byte[] stream = new byte[random.nextInt(60)];
                for (int at = 0; at < stream.length; at++) {
                    stream[at] = pieces[random.nextInt(pieces.length)];
                }
                check(stream);
            }
        });
    }

    @Test
    void damagedMessages() {
        Random random = new Random(3);
        Assertions.assertTimeoutPreemptively(BOUND, () -> {
            for (int i = 0; i < 50_000; i++) {
                check(damage(Wire.bytes(someMessages(random)), random));
            }
        });
    }

    private static String someMessages(Random random) {
        StringBuilder stream = new StringBuilder();
        boolean numbered = random.nextBoolean();
        for (int i = 0; i < 3; i++) {
            if (numbered) {
                stream.append("*2\r\n:").append(random.nextInt(1_000)).append("\r\n");
            }
            stream.append(
                    Sample.MESSAGES.get(random.nextInt(Sample.MESSAGES.size())).wire());
        }
        return stream.toString();
    }

    private static byte[] damage(byte[] stream, Random random) {
        byte[] damaged = stream;
        for (int wounds = 1 + random.nextInt(3); wounds > 0; wounds--) {
            int at = random.nextInt(damaged.length - 1);
            switch (random.nextInt(4)) {
                case 0 -> damaged[at] = (byte) random.nextInt(256);
                case 1 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> {
                    System.arraycopy(damaged, at + 1, damaged, at, damaged.length - at - 1);
                    damaged = Arrays.copyOf(damaged, damaged.length - 1);
                }
                default -> {
                    damaged = Arrays.copyOf(damaged, damaged.length + 1);
                    System.arraycopy(damaged, at, damaged, at + 1, damaged.length - at - 1);
                }
            }
        }
        return damaged;
    }

    private static void check(byte[] stream) {
        check(stream, Wire.decode(LIMITS, stream), RespFragmentationTest.byteByByte(LIMITS, stream));
        check(stream, Wire.decodeNumbered(LIMITS, stream), RespNumberTest.byteByByte(LIMITS, stream));
    }

    private static void check(byte[] stream, List<String> whole, List<String> parts) {
        // The description is worth its price only for a stream that fails.
        if (!parts.equals(whole)) {
            assertThat(parts).as("stream %s", Arrays.toString(stream)).isEqualTo(whole);
        }
    }
}
