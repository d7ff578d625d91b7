package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Generated RESP2, read by this decoder and by Netty's own. */
class RespDifferentialTest {

    @Test
    void agreesWithNettyOnGeneratedStreams() {
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder stream = new StringBuilder();
            for (int messages = 1 + random.nextInt(5); messages > 0; messages--) {
                generate(random, 0, stream);
            }
            byte[] bytes = Wire.bytes(stream.toString());
            int[] cuts =
                    random.ints(random.nextInt(6), 0, bytes.length + 1).sorted().toArray();

            assertThat(Wire.decode(RespLimits.DEFAULT, bytes, cuts)).isEqualTo(decodeWithNetty(bytes, cuts));
        }
    }

    @Test
    void agreesWithNettyOnNumberedAnswers() {
        Random random = new Random(12);
        for (int i = 0; i < 1_000; i++) {
            StringBuilder stream = new StringBuilder();
            for (int messages = 1 + random.nextInt(5); messages > 0; messages--) {
                stream.append("*2\r\n:").append(random.nextLong(1L << 53)).append("\r\n");
                generate(random, 0, stream);
            }
            byte[] bytes = Wire.bytes(stream.toString());
            int[] cuts =
                    random.ints(random.nextInt(6), 0, bytes.length + 1).sorted().toArray();

            List<String> numbered = Wire.decodeNumbered(RespLimits.DEFAULT, bytes, cuts).stream()
                    .map(answer -> "[" + answer.replaceFirst(": ", ", ") + "]")
                    .toList();
            assertThat(numbered).isEqualTo(decodeWithNetty(bytes, cuts));
        }
    }

    private static void generate(Random random, int depth, StringBuilder to) {
        switch (random.nextInt(depth < 4 ? 9 : 6)) {
            case 0 -> to.append('+').append(line(random)).append("\r\n");
            case 1 -> to.append("-ERR ").append(line(random)).append("\r\n");
            case 2 -> to.append(':').append(random.nextLong()).append("\r\n");
            case 3 -> to.append(':').append(random.nextInt(10)).append("\r\n");
            case 4 -> to.append("$-1\r\n");
            case 5 -> {
                byte[] bulk = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(300)];
                random.nextBytes(bulk);
                to.append('$').append(bulk.length).append("\r\n");
                to.append(new String(bulk, StandardCharsets.ISO_8859_1)).append("\r\n");
            }
            case 6 -> to.append("*0\r\n");
            default -> {
                int length = 1 + random.nextInt(5);
                to.append('*').append(length).append("\r\n");
                for (int i = 0; i < length; i++) {
                    generate(random, depth + 1, to);
                }
            }
        }
    }

    private static String line(Random random) {
        return random.ints(random.nextInt(40), ' ', '~')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static List<String> decodeWithNetty(byte[] stream, int[] cuts) {
        EmbeddedChannel channel = new EmbeddedChannel(
                new RedisDecoder(), new RedisBulkStringAggregator(), new RedisArrayAggregator(100, 100));
        int from = 0;
        for (int cut : cuts) {
            channel.writeInbound(Unpooled.copiedBuffer(stream, from, cut - from));
            from = cut;
        }
        channel.writeInbound(Unpooled.copiedBuffer(stream, from, stream.length - from));
        List<String> seen = new ArrayList<>();
        for (RedisMessage message = channel.readInbound(); message != null; message = channel.readInbound()) {
            seen.add(show(message));
            ReferenceCountUtil.release(message);
        }
        assertThat(channel.finish()).isFalse();
        return seen;
    }

    private static String show(RedisMessage message) {
        if (message instanceof SimpleStringRedisMessage simple) {
            return "simple " + simple.content();
        }
        if (message instanceof ErrorRedisMessage error) {
            return "error " + error.content();
        }
        if (message instanceof IntegerRedisMessage integer) {
            return Long.toString(integer.value());
        }
        if (message instanceof FullBulkStringRedisMessage bulk) {
            return bulk.isNull()
                    ? "null"
                    : "\"" + new String(ByteBufUtil.getBytes(bulk.content()), StandardCharsets.ISO_8859_1) + "\"";
        }
        ArrayRedisMessage array = (ArrayRedisMessage) message;
        return array.isNull()
                ? "null"
                : array.children().stream().map(RespDifferentialTest::show).collect(Collectors.joining(", ", "[", "]"));
    }
}
