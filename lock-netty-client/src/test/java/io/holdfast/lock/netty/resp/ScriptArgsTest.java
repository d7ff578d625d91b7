package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Script calls, whose counts stand in front of what is counted. */
class ScriptArgsTest {

    private static final Script SCRIPT = new Script("answer", "return 'é'");

    private final ByteBuf out = Unpooled.buffer();
    private final ScriptArgs scriptArgs = new ScriptArgs();

    @Test
    void writesTheDigestTheCountAndTheParts() {
        scriptArgs.evalsha(
                out,
                call(args -> args.key(Wire.bytes("k")).arg(Wire.bytes("a b")).arg(-5)));

        assertThat(written(out))
                .isEqualTo("*6\r\n$7\r\nEVALSHA\r\n$40\r\n" + SCRIPT.sha1()
                        + "\r\n$1\r\n1\r\n$1\r\nk\r\n$3\r\na b\r\n$2\r\n-5\r\n");
    }

    @Test
    void writesTheSourceForAServerThatForgotIt() {
        scriptArgs.eval(out, call(args -> args.key(Wire.bytes("k"))));

        assertThat(written(out)).isEqualTo("*4\r\n$4\r\nEVAL\r\n$11\r\nreturn 'Ã©'\r\n$1\r\n1\r\n$1\r\nk\r\n");
    }

    /** Around every place where a count gets longer, and where the moved bytes are more than one piece. */
    @ParameterizedTest
    @CsvSource({"0,0", "0,6", "0,7", "1,5", "1,6", "9,87", "9,88", "10,86", "10,87", "100,0", "500,500", "5,992"})
    void fillsInCountsOfAnyLength(int keys, int args) {
        for (ByteBuf target : List.of(out, PooledByteBufAllocator.DEFAULT.directBuffer(8))) {
            RespWriter.command(target, "PING");
            scriptArgs.evalsha(target, call(to -> writeNumbers(to, keys, args)));
            RespWriter.command(target, "PING");

            List<String> expected = new ArrayList<>(List.of("EVALSHA", SCRIPT.sha1(), Integer.toString(keys)));
            for (int i = 0; i < keys; i++) {
                expected.add("key:" + i);
            }
            for (int i = 0; i < args; i++) {
                expected.add(Integer.toString(i));
            }
            RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
            assertThat(texts(Wire.next(decoder, target))).containsExactly("PING");
            assertThat(texts(Wire.next(decoder, target))).isEqualTo(expected);
            assertThat(texts(Wire.next(decoder, target))).containsExactly("PING");
            assertThat(target.isReadable()).isFalse();
            assertThat(target.release()).isTrue();
        }
    }

    /** Fewer parts than usual move the body forward, and more of them backward. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void movesABodyOfManyPieces(int args) {
        byte[] value = new byte[5_000];
        new Random(args).nextBytes(value);

        scriptArgs.evalsha(out, call(to -> {
            for (int i = 0; i < args; i++) {
                to.arg(value);
            }
        }));

        RespValue written = Wire.next(new RespDecoder(RespLimits.DEFAULT), out);
        assertThat(written.size()).isEqualTo(3 + args);
        for (int i = 0; i < args; i++) {
            assertThat(written.get(3 + i).bytes()).isEqualTo(value);
        }
    }

    @Test
    void appendsNothingIfTheCallThrows() {
        RespWriter.command(out, "PING");
        IllegalStateException bug = new IllegalStateException("bug");

        assertThatThrownBy(() -> scriptArgs.evalsha(out, call(args -> {
                    args.key(Wire.bytes("k"));
                    throw bug;
                })))
                .isSameAs(bug);
        assertThat(written(out)).isEqualTo("*1\r\n$4\r\nPING\r\n");

        scriptArgs.evalsha(out, call(args -> args.key(Wire.bytes("k"))));
        assertThat(written(out)).startsWith("*1\r\n$4\r\nPING\r\n*4\r\n$7\r\nEVALSHA\r\n");
    }

    @Test
    void refusesAKeyAfterAnArgument() {
        assertThatThrownBy(() -> scriptArgs.evalsha(
                        out, call(args -> args.key(Wire.bytes("k")).arg(1).key(Wire.bytes("l")))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("key 2 comes after an argument (expected: keys first)");
    }

    @Test
    void refusesPartsOutsideACall() {
        assertThatThrownBy(() -> scriptArgs.arg(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no call is being written (expected: use only inside encode)");
    }

    private static void writeNumbers(Args to, int keys, int args) {
        for (int i = 0; i < keys; i++) {
            to.key(Wire.bytes("key:" + i));
        }
        for (int i = 0; i < args; i++) {
            to.arg(i);
        }
    }

    private static List<String> texts(RespValue list) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            texts.add(list.text(i));
        }
        return texts;
    }

    private static String written(ByteBuf buffer) {
        return buffer.toString(StandardCharsets.ISO_8859_1);
    }

    private static ScriptCall call(Consumer<Args> encoder) {
        return TestCall.of(SCRIPT, encoder);
    }
}
