package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.credentials.FixedLogins;
import io.holdfast.lock.netty.resp.RespLimits;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionSettingsTest {

    @Test
    void aReconnectHasThreeSecondsAtMost() {
        assertThat(withConnectTimeoutSeconds(10).reconnectTimeoutNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
        assertThat(withConnectTimeoutSeconds(2).reconnectTimeoutNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
    }

    private static ConnectionSettings withConnectTimeoutSeconds(long seconds) {
        return new ConnectionSettings(
                RedisUri.parse("redis://h"),
                new FixedLogins(null, null),
                "test",
                null,
                (loop, anew, asker) -> () -> {},
                TimeUnit.SECONDS.toNanos(seconds),
                1,
                1,
                1,
                1,
                1,
                RespLimits.DEFAULT,
                new ConnectionNews());
    }
}
