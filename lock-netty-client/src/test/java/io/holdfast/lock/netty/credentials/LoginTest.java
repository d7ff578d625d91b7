package io.holdfast.lock.netty.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.Credentials;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a login is renewed. */
class LoginTest {

    private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
    private static final long NANOS = -5;

    @ParameterizedTest
    @CsvSource({
        "900_000, 720_000",
        "86_400_000, 69_120_000",
        "30_000, 24_000",
        "20_000, 15_000",
        "10_000, 5_000",
        "2_000, 1_000",
        "600, 500",
        "1, 500",
        "0, 5_000",
        "-1_000_000, 5_000"
    })
    void whatExpiresIsRenewedBefore(String leftMillis, String delayMillis) {
        Instant expiry = NOW.plusMillis(Long.parseLong(leftMillis.replace("_", "")));
        Login login = login(Credentials.ofPassword("x").expiringAt(expiry), Optional.empty());

        assertThat(login.isRenewed()).isTrue();
        assertThat(TimeUnit.NANOSECONDS.toMillis(login.renewAtNanos() - NANOS))
                .isEqualTo(Long.parseLong(delayMillis.replace("_", "")));
        assertThat(login.isDue(login.renewAtNanos() - 1)).isFalse();
        assertThat(login.isDue(login.renewAtNanos())).isTrue();
        assertThat(login.mayBeOver(login.renewAtNanos())).isTrue();
    }

    @Test
    void whatDoesNotExpireIsNotRenewed() {
        assertThat(login(Credentials.ofPassword("x"), Optional.empty()).isRenewed())
                .isFalse();
        assertThat(login(Credentials.ofPassword("x"), Optional.empty()).isDue(Long.MAX_VALUE))
                .isFalse();
        assertThat(Login.fixed(null, "x").isRenewed()).isFalse();
    }

    @Test
    void whatChangesFromTimeToTimeIsLookedAtAndNotOver() {
        Login login = login(Credentials.ofPassword("x"), Optional.of(Duration.ofSeconds(30)));

        assertThat(login.renewAtNanos() - NANOS).isEqualTo(TimeUnit.SECONDS.toNanos(30));
        assertThat(login.mayBeOver(Long.MAX_VALUE / 2)).isFalse();
    }

    @Test
    void anExpiryInAllEternityIsNoOverflow() {
        Login login = login(Credentials.ofPassword("x").expiringAt(Instant.MAX), Optional.empty());

        assertThat(login.isDue(NANOS + TimeUnit.DAYS.toNanos(200))).isFalse();
        assertThat(login(Credentials.ofPassword("x").expiringAt(Instant.MIN), Optional.empty())
                        .isDue(NANOS + TimeUnit.SECONDS.toNanos(5)))
                .isTrue();
    }

    @Test
    void noTextShowsThePassword() {
        assertThat(Login.fixed("app", "canary")).asString().doesNotContain("canary");
        assertThat(new FixedLogins("app", "canary")).asString().doesNotContain("canary");
    }

    private static Login login(Credentials credentials, Optional<Duration> interval) {
        return Login.of(credentials, 1, interval, NANOS, NOW);
    }
}
