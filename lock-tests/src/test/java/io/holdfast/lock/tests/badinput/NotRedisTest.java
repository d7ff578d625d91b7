package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Impostor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A server that is not Redis. */
class NotRedisTest {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    @Test
    void aWebServer() throws Exception {
        String page = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html></html>";
        try (Impostor server = Impostor.answering(page.getBytes(StandardCharsets.US_ASCII))) {
            isSaidNotToBeRedis(server);
        }
    }

    @Test
    void aMailServerThatSpeaksFirst() throws Exception {
        try (Impostor server = Impostor.greeting("220 mail.example ESMTP\r\n".getBytes(StandardCharsets.US_ASCII))) {
            isSaidNotToBeRedis(server);
        }
    }

    @Test
    void garbage() throws Exception {
        byte[] garbage = new byte[10_000];
        new Random(7).nextBytes(garbage);
        garbage[0] = 'G';
        try (Impostor server = Impostor.answering(garbage)) {
            isSaidNotToBeRedis(server);
        }
    }

    @Test
    void aReplyOfAMonstrousSize() throws Exception {
        try (Impostor server = Impostor.answering("$999999999999\r\n".getBytes(StandardCharsets.US_ASCII))) {
            isSaidNotToBeRedis(server);
        }
    }

    @Test
    void silence() throws Exception {
        try (Impostor server = Impostor.silent()) {
            assertThat(refusal(server))
                    .isInstanceOf(LockUnavailableException.class)
                    .satisfies(refused ->
                            assertThat(refused.reason()).isIn(FailureReason.NO_ANSWER, FailureReason.UNREACHABLE));
        }
    }

    @Test
    void aServerThatHangsUpAtOnce() throws Exception {
        try (Impostor server = Impostor.hangingUp()) {
            assertThat(refusal(server)).isInstanceOf(LockException.class).satisfies(refused -> assertThat(
                            refused.reason())
                    .isIn(FailureReason.DISCONNECTED, FailureReason.UNREACHABLE, FailureReason.NOT_REDIS));
        }
    }

    private static void isSaidNotToBeRedis(Impostor server) {
        assertThat(refusal(server)).isInstanceOf(LockServerException.class).satisfies(refused -> {
            assertThat(refused.reason()).isEqualTo(FailureReason.NOT_REDIS);
            assertThat(refused.node())
                    .hasValueSatisfying(node -> assertThat(node).endsWith(":" + server.port()));
        });
    }

    /** Connecting fails in time, quotes no password, and leaves no thread and no connection. */
    private static LockException refusal(Impostor server) {
        LockException[] refusal = new LockException[1];
        long startNanos = System.nanoTime();
        assertThatThrownBy(() -> LockClient.connect(
                        "redis://:canary@127.0.0.1:" + server.port(),
                        Clients.quick()
                                .connectTimeout(CONNECT_TIMEOUT)
                                .clientName("impostor")
                                .build()))
                .isInstanceOfSatisfying(LockException.class, refused -> refusal[0] = refused)
                .hasMessageNotContaining("canary");
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(CONNECT_TIMEOUT.plusSeconds(1));
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("holdfast-impostor")));
        await().until(() -> server.openConnections() == 0);
        return refusal[0];
    }
}
