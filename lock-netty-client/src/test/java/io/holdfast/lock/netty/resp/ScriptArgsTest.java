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

/** Script calls, whose counts stand in front of what is counted. */
class ScriptArgsTest {

    private static final Script SCRIPT = new Script("answer", "return 'é'");

    private final ByteBuf out = Unpooled.buffer();
    private final ScriptArgs scriptArgs = new ScriptArgs();

    @Test
    void writesTheDigestTheCountThePartsAndTheNumber() {
        scriptArgs.evalsha(
                out,
                SCRIPT,
                call(args -> args.key(Wire.bytes("k")).arg(Wire.bytes("a b")).arg(-5)),
                70);

        assertThat(written(out))
                .isEqualTo("*7\r\n$7\r\nEVALSHA\r\n$40\r\n" + SCRIPT.sha1()
                        + "\r\n$1\r\n1\r\n$1\r\nk\r\n$3\r\na b\r\n$2\r\n-5\r\n$2\r\n70\r\n");
    }

    @Test
    void writesTheSourceForAServerThatForgotIt() {
        scriptArgs.eval(out, SCRIPT, call(args -> args.key(Wire.bytes("k"))), 70);

        assertThat(written(out))
                .isEqualTo("*5\r\n$4\r\nEVAL\r\n$11\r\nreturn 'Ã©'\r\n$1\r\n1\r\n$1\r\nk\r\n$2\r\n70\r\n");
    }

    /** Around every place where a count gets longer, and where the moved bytes are more than one piece. */
    @ParameterizedTest
    @CsvSource({"0,0", "0,5", "0,6", "1,4", "1,5", "9,86", "9,87", "10,85", "10,86", "100,0", "500,500", "5,991"})
    void fillsInCountsOfAnyLength(int keys, int args) {
        for (ByteBuf target : List.of(out, PooledByteBufAllocator.DEFAULT.directBuffer(8))) {
            RespWriter.command(target, "PING");
            scriptArgs.evalsha(target, SCRIPT, call(to -> writeNumbers(to, keys, args)), 70);
            RespWriter.command(target, "PING");

            List<String> expected = new ArrayList<>(List.of("EVALSHA", SCRIPT.sha1(), Integer.toString(keys)));
            for (int i = 0; i < keys; i++) {
                expected.add("key:" + i);
            }
            for (int i = 0; i < args; i++) {
                expected.add(Integer.toString(i));
            }
            expected.add("70");
            RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
            assertThat(texts(Wire.next(decoder, target))).containsExactly("PING");
            assertThat(texts(Wire.next(decoder, target))).isEqualTo(expected);
            assertThat(texts(Wire.next(decoder, target))).containsExactly("PING");
            assertThat(target.isReadable()).isFalse();
            assertThat(target.release()).isTrue();
        }
    }

    @Test
    void movesABodyOfManyPieces() {
        int args = 100;
        byte[] value = new byte[5_000];
        new Random(args).nextBytes(value);

        scriptArgs.evalsha(
                out,
                SCRIPT,
                call(to -> {
                    for (int i = 0; i < args; i++) {
                        to.arg(value);
                    }
                }),
                70);

        RespValue written = Wire.next(new RespDecoder(RespLimits.DEFAULT), out);
        assertThat(written.size()).isEqualTo(3 + args + 1);
        for (int i = 0; i < args; i++) {
            assertThat(written.get(3 + i).bytes()).isEqualTo(value);
        }
    }

    @Test
    void appendsNothingIfTheCallThrows() {
        RespWriter.command(out, "PING");
        IllegalStateException bug = new IllegalStateException("bug");

        assertThatThrownBy(() -> scriptArgs.evalsha(
                        out,
                        SCRIPT,
                        call(args -> {
                            args.key(Wire.bytes("k"));
                            throw bug;
                        }),
                        70))
                .isSameAs(bug);
        assertThat(written(out)).isEqualTo("*1\r\n$4\r\nPING\r\n");

        scriptArgs.evalsha(out, SCRIPT, call(args -> args.key(Wire.bytes("k"))), 70);
        assertThat(written(out)).startsWith("*1\r\n$4\r\nPING\r\n*5\r\n$7\r\nEVALSHA\r\n");
    }

    @Test
    void refusesAKeyAfterAnArgument() {
        assertThatThrownBy(() -> scriptArgs.evalsha(
                        out,
                        SCRIPT,
                        call(args -> args.key(Wire.bytes("k")).arg(1).key(Wire.bytes("l"))),
                        70))
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
