package io.holdfast.lock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The slow network of the benchmarks. */
class DelayProxyTest {

    @Test
    void passesEverythingOnInOrderAndNeverEarly() {
        long oneWayNanos = TimeUnit.MILLISECONDS.toNanos(2);
        try (RedisServer server = RedisServer.start();
                DelayProxy proxy = new DelayProxy(server.host(), server.port(), oneWayNanos);
                RawRedis connection = RawRedis.connect(proxy.host(), proxy.port())) {
            long startNanos = System.nanoTime();
            for (int i = 1; i <= 100; i++) {
                connection.send("INCR", "number");
            }
            for (long i = 1; i <= 100; i++) {
                assertThat(connection.receive()).isEqualTo(i);
            }
            assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(2 * oneWayNanos);
        }
    }

    @Test
    void endsConnectionsWithItself() {
        try (RedisServer server = RedisServer.start()) {
            DelayProxy proxy = new DelayProxy(server.host(), server.port(), 0);
            try (RawRedis connection = RawRedis.connect(proxy.host(), proxy.port())) {
                assertThat(connection.command("PING")).isEqualTo("PONG");
                proxy.close();
                assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(UncheckedIOException.class);
            }
        }
    }
}
