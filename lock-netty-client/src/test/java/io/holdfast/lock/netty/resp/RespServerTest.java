package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real server understands what is written, and what it says is understood. */
@RedisTest
class RespServerTest {

    private static final Script ECHO = new Script("echo", "return {KEYS, ARGV} -- é");

    private final ByteBuf out = Unpooled.buffer();
    private final ByteBuf in = Unpooled.buffer();
    private final RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
    private final ScriptArgs scriptArgs = new ScriptArgs();
    private final Socket socket;

    RespServerTest(RedisServer server) throws IOException {
        socket = new Socket(server.host(), server.port());
        socket.setSoTimeout(10_000);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
    }

    @Test
    void scriptsGetTheirKeysAndArguments() throws IOException {
        var call = TestCall.of(ECHO, args -> args.key(Wire.bytes("a"))
                .key(Wire.bytes("\0\r\n"))
                .arg(Wire.bytes(""))
                .arg(0)
                .arg(Long.MIN_VALUE)
                .arg(Long.MAX_VALUE));
        String expected =
                "[[\"a\", \"\0\r\n\"], [\"\", \"0\", \"-9223372036854775808\", \"9223372036854775807\", \"70\"]]";

        scriptArgs.evalsha(out, ECHO, call, 70);
        assertThat(answer()).startsWith("error NOSCRIPT ");
        scriptArgs.eval(out, ECHO, call, 70);
        assertThat(answer()).isEqualTo(expected);
        scriptArgs.evalsha(out, ECHO, call, 70);
        assertThat(answer()).isEqualTo(expected);
    }

    @Test
    void callsOfAnySizeFollowEachOther() throws IOException {
        RespWriter.command(out, "SCRIPT", "LOAD", ECHO.source());
        assertThat(answer()).isEqualTo("\"" + ECHO.sha1() + "\"");

        for (int args = 0; args < 200; args++) {
            int count = args;
            scriptArgs.evalsha(
                    out,
                    ECHO,
                    TestCall.of(ECHO, to -> {
                        for (int i = 0; i < count; i++) {
                            if (i < count / 2) {
                                to.key(Wire.bytes("k"));
                            } else {
                                to.arg(i);
                            }
                        }
                    }),
                    70);
        }
        for (int args = 0; args < 200; args++) {
            RespValue reply = next();
            assertThat(reply.get(0).size()).isEqualTo(args / 2);
            assertThat(reply.get(1).size()).isEqualTo(args - args / 2 + 1);
        }
    }

    @Test
    void scriptsAnswerInResp2() throws IOException {
        assertThat(eval("return {1, -2, 'text', {}, {redis.status_reply('fine')}}"))
                .isEqualTo("[1, -2, \"text\", [], [simple fine]]");
        assertThat(eval("return false")).isEqualTo("null");
        assertThat(eval("return redis.error_reply('MINE a\\r\\nb')")).startsWith("error MINE a");
        assertThat(eval("return string.rep('x', 100000)")).hasSize(100_002);
    }

    @Test
    void scriptsAnswerInResp3() throws IOException {
        RespWriter.command(out, "HELLO", "3");
        assertThat(answer()).startsWith("map [\"server\", \"").contains("\"proto\", 3,");

        assertThat(eval("return false")).isEqualTo("null");
        assertThat(eval("redis.setresp(3); return {true, {double=1.5}, {map={a=1}}, {set={b=true}}}"))
                .isEqualTo("[true, double 1.5, map [\"a\", 1], set [\"b\"]]");
        RespWriter.command(out, "INFO", "server");
        assertThat(next().text()).startsWith("# Server\r\n");
        RespWriter.command(out, "SUBSCRIBE", "news");
        assertThat(answer()).isEqualTo("push [\"subscribe\", \"news\", 1]");
        RespWriter.command(out, "PUBLISH", "news", "hello");
        assertThat(new String[] {answer(), answer()})
                .containsExactlyInAnyOrder("push [\"message\", \"news\", \"hello\"]", "1");
    }

    private String eval(String source) throws IOException {
        Script script = new Script("test", source);
        scriptArgs.eval(out, script, TestCall.of(script, args -> {}), 70);
        return answer();
    }

    private String answer() throws IOException {
        return Wire.show(next());
    }

    private RespValue next() throws IOException {
        out.readBytes(socket.getOutputStream(), out.readableBytes());
        byte[] chunk = new byte[100];
        for (RespValue message = decoder.decode(in); ; message = decoder.decode(in)) {
            if (message != null) {
                return message;
            }
            int bytes = socket.getInputStream().read(chunk);
            if (bytes < 0) {
                throw new EOFException("the server closed the connection");
            }
            in.clear().writeBytes(chunk, 0, bytes);
        }
    }
}
