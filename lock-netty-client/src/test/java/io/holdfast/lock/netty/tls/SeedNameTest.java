package io.holdfast.lock.netty.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.TlsOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which name a server's certificate must have, where Sentinels announce it. */
class SeedNameTest {

    private static final TlsOptions ON =
            TlsOptions.builder().verifySeedName(true).build();

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.5", "::1", "fe80::1%eth0", "2001:db8::7"})
    void anAddressIsVerifiedAgainstTheNameOfTheSeed(String announced) {
        assertThat(open(ON, "locks.internal").name(announced)).isEqualTo("locks.internal");
        assertThat(open(ON, "locks.internal.").name(announced)).isEqualTo("locks.internal");
    }

    @Test
    void aNameIsVerifiedAsItIs() {
        assertThat(open(ON, "locks.internal").name("redis-2.internal")).isEqualTo("redis-2.internal");
    }

    @Test
    void withoutTheOptionOrWithoutANameAnAddressIsVerifiedAsItIs() {
        assertThat(open(TlsOptions.defaults(), "locks.internal").name("10.0.0.5"))
                .isEqualTo("10.0.0.5");
        assertThat(open(ON, "10.0.0.4").name("10.0.0.5")).isEqualTo("10.0.0.5");
        assertThat(open(ON, "::1").name("10.0.0.5")).isEqualTo("10.0.0.5");
        assertThat(ClientTls.open(ON, "test").name("10.0.0.5")).isEqualTo("10.0.0.5");
    }

    @Test
    void theNameOfTheOptionsGoesBefore() {
        TlsOptions both = ON.toBuilder().serverName("redis.internal").build();
        assertThat(open(both, "locks.internal").name("10.0.0.5")).isEqualTo("redis.internal");
    }

    private static ClientTls open(TlsOptions options, String seed) {
        return ClientTls.open(options, "test", seed);
    }
}
