package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.UnexpectedReplyException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers get out of a message. */
class RespValueTest {

    @ParameterizedTest
    @CsvSource({":127;", ":128;", ":-3;", "$2;42;", "+42;", "(42;", "#t;"})
    void anIntegerIsANumberOrANumericText(String wire) {
        RespValue value = decode(wire);

        assertThat(value.integer()).isEqualTo(Long.parseLong(value.text()));
        assertThat(value.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "+OK;,    not an integer: SIMPLE of 2 bytes",
        "$0;;,    not an integer: BULK of 0 bytes",
        "$3;1.5;, not an integer: BULK of 3 bytes",
        "',1;',   not an integer: DOUBLE of 1 bytes",
        "_;,      not an integer: NULL",
        "-ERR a;, not an integer: ERROR ERR",
        "*1;:1;,  not an integer: ARRAY of 1 elements",
    })
    void anythingElseIsNoInteger(String wire, String expected) {
        assertThatThrownBy(() -> decode(wire).integer())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(expected);
    }

    @Test
    void onlyNullAndListsHaveNoText() {
        assertThat(decode("$2;\u00c3\u00a9;").text()).isEqualTo("é");
        assertThat(decode(":5;").text()).isEqualTo("5");
        assertThat(decode("$-1;").text()).isNull();
        assertThat(decode("*1;:1;").text()).isNull();
    }

    @Test
    void listsGiveTheirElements() {
        RespValue list = decode("*3;:300;$1;a;_;");

        assertThat(list.isList()).isTrue();
        assertThat(list.size()).isEqualTo(3);
        assertThat(list.integer(0)).isEqualTo(300);
        assertThat(list.text(1)).isEqualTo("a");
        assertThat(list.get(2).isNull()).isTrue();
        assertThat(list.isNull()).isFalse();
        assertThatThrownBy(() -> list.get(3)).isInstanceOf(UnexpectedReplyException.class);
    }

    @Test
    void errorsTellTheirCodeAndTheirText() {
        RespValue error = decode("-NOSCRIPT No matching script.;");

        assertThat(error.isError()).isTrue();
        assertThat(error.errorCode()).isEqualTo("NOSCRIPT");
        assertThat(error.errorText()).isEqualTo("NOSCRIPT No matching script.");
        assertThat(decode("-EXECABORT;").errorCode()).isEqualTo("EXECABORT");
        assertThatThrownBy(() -> decode("+OK;").errorText())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("not an error: SIMPLE of 2 bytes");
    }

    @ParameterizedTest
    @CsvSource({"+canary;", "$6;canary;", "-ERR canary;", "*1;$6;canary;", "'%1;$6;canary;+canary;'"})
    void itsDescriptionKeepsSecrets(String wire) {
        assertThat(decode(wire).toString()).doesNotContain("canary");
    }

    private static RespValue decode(String wire) {
        return Wire.next(new RespDecoder(RespLimits.DEFAULT), Wire.buffer(wire.replace(";", "\r\n")));
    }

    @Test
    void anErrorWithACodeOfAnyLengthShowsItsBeginning() {
        RespValue error = RespValue.text(
                RespValue.Kind.ERROR, ("BAD\u001b" + "X".repeat(100_000)).getBytes(StandardCharsets.UTF_8));
        assertThat(error.toString()).startsWith("ERROR BAD\\u001bXXX").hasSizeLessThan(320);
    }
}
