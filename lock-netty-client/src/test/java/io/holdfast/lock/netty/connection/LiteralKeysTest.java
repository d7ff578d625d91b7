package io.holdfast.lock.netty.connection;

import static io.holdfast.lock.testkit.provider.LiteralKeys.complaints;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.client.Clients;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts name their keys so that proxies can read them. Alibaba Cloud's refuse a script unless each command is a literal and each
 * key is written {@code KEYS[n]}, with a number: not a variable, nor part of an expression.
 */
class LiteralKeysTest {

    /** One is sent as a command, not as a script; and a diagnosis runs what it is told. */
    private static final List<String> EXCEPT = List.of("scan", "rights");

    static Stream<Script> scripts() {
        NumberedScripts forms = new NumberedScripts();
        return Clients.scripts().stream()
                .filter(script -> !EXCEPT.contains(script.name()))
                .flatMap(script -> Stream.of(script, forms.of(script), forms.ofSharded(script)))
                .flatMap(form ->
                        form.source().startsWith("return {") ? Stream.of(form, forms.timed(form)) : Stream.of(form));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void eachKeyIsANumberedOne(Script script) {
        assertThat(complaints(script.source())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local lock = KEYS[1] redis.call('GET', lock)",
                "redis.call('GET', KEYS[1] .. ':readers')",
                "redis.call('GET', KEYS[i])",
                "redis.call(command, KEYS[1])",
                "redis.call(unpack(ARGV))",
                "local call = redis.pcall",
                "for _, key in ipairs(KEYS) do redis.call('DEL', key) end",
                "table.remove(KEYS)",
                "local name = 'x' .. KEYS[1]",
                "redis.call('DEL', unpack(KEYS))"
            })
    void aKeyThatIsWrittenAnotherWayIsFound(String source) {
        assertThat(complaints(source)).isNotEmpty();
    }

    @Test
    void commandsWithoutAKeyNeedNone() {
        assertThat(complaints("redis.call('TIME') redis.pcall('PUBLISH', ARGV[1], '0') redis.call('GET', KEYS[12])"))
                .isEmpty();
    }
}
