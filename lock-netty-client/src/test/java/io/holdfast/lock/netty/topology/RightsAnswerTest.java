package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.ServerReport.Verdict;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the refusal of a command says of the user's rights, in the words of Redis 6.2 to 8 and Valkey. */
class RightsAnswerTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOPERM this user has no permissions to run the 'info' command | DENIED",
                "NOPERM User ann has no permissions to run the 'info' command | DENIED",
                "NOPERM User access-by-key has no permissions to run the 'info' command | DENIED",
                "NOPERM User key.access has no permissions to run the 'client' command | DENIED",
                "NOPERM this user has no permissions to access one of the channels used as arguments | DENIED",
                "NOPERM No permissions to access a channel | DENIED",
                "NOPERM this user has no permissions to access one of the keys used as arguments | KEYS_DENIED",
                "NOPERM No permissions to access a key | KEYS_DENIED",
                "NOPERM User ann has no permissions to access the 'holdfast:x' key | KEYS_DENIED",
                "ERR Command is not available: 'CONFIG'. See https://provider.example/docs | ABSENT",
                "ERR unknown command 'INFO' | ABSENT",
                "NOSCRIPT No matching script. | ALLOWED",
                "BUSY Redis is busy running a script. | ALLOWED",
                "ERR syntax error | ALLOWED"
            })
    void aRefusalSaysWhatTheUserLacks(String text, Verdict verdict) {
        assertThat(RightsAnswer.ofTry(error(text))).isEqualTo(verdict);
    }

    private static RespValue error(String text) {
        return Objects.requireNonNull(new RespDecoder(RespLimits.DEFAULT)
                .decode(Unpooled.copiedBuffer("-" + text + "\r\n", StandardCharsets.UTF_8)));
    }
}
