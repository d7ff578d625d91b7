package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A password never leaves by a log line, an exception or a toString, whichever way it went to the server. */
class SecretsTest {

    private static final String CANARY = "canary-5f2b";

    /** The same of a provider's, which gives it, throws it, and shows it where it can. */
    @Test
    void ofAProviderStayInside() {
        AtomicInteger calls = new AtomicInteger();
        CredentialsProvider provider = new CredentialsProvider() {
            @Override
            public CompletionStage<Credentials> credentials() {
                return switch (calls.incrementAndGet() % 3) {
                    case 1 ->
                        CompletableFuture.completedFuture(Credentials.of("app", CANARY)
                                .expiringAt(Instant.now().plusMillis(500)));
                    case 2 -> throw new IllegalStateException(CANARY);
                    default -> CompletableFuture.failedFuture(new CompletionException(new Error(CANARY)));
                };
            }

            @Override
            public String toString() {
                return CANARY;
            }
        };
        try (RedisServer server = RedisServer.builder().start();
                RawRedis raw = server.connect();
                Logs logs = new Logs()) {
            raw.command("ACL", "SETUSER", "app", "on", ">" + CANARY, "+@all", "~*", "&*");
            try (TestNode node = TestNode.connect(server.url(), provider)) {
                await().until(() -> calls.get() >= 3);
                raw.command("ACL", "SETUSER", "app", "resetpass", ">another");
                raw.command("CLIENT", "KILL", "USER", "app");
                await().until(() -> node.echo("hello").await() instanceof io.holdfast.lock.spi.Fault fault
                        && !fault.kind().isTransient()
                        && !fault.toString().contains(CANARY));
                assertThat(node.node + " " + node.settings + " " + node.settings.logins())
                        .doesNotContain(CANARY);
            }
            assertThat(logs.everything()).isNotEmpty().noneMatch(line -> line.contains(CANARY));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stayInside(boolean withHello) {
        var builder = RedisServer.builder().option("requirepass", CANARY);
        if (!withHello) {
            builder.option("rename-command", "HELLO", "\"\"");
        }
        try (RedisServer server = builder.start();
                RawRedis raw = server.connect();
                Logs logs = new Logs()) {
            String address = "127.0.0.1:" + server.port();
            try (TestNode node = TestNode.connect("redis://:" + CANARY + "@" + address)) {
                List<String> news = new CopyOnWriteArrayList<>();
                node.subscribe("news", Recorder.into(news));
                await().until(() -> news.contains("ready"));
                raw.command("CLIENT", "KILL", "TYPE", "normal");
                await().until(() -> node.news.size() == 3);
                assertThat(node.node.toString()
                                + node.node.describe()
                                + TestNode.settings("redis://:" + CANARY + "@" + address))
                        .doesNotContain(CANARY);

                raw.command("CONFIG", "SET", "requirepass", "another");
                raw.command("CLIENT", "KILL", "TYPE", "normal");
                await().until(() -> node.echo("hello").await() instanceof io.holdfast.lock.spi.Fault fault
                        && !fault.kind().isTransient()
                        && !fault.toString().contains(CANARY));
            }
            try (TestNode refused =
                    TestNode.lazy(TestNode.settings("redis://" + CANARY + ":" + CANARY + "@" + address))) {
                Throwable thrown = catchThrowable(
                        () -> refused.node.connect().toCompletableFuture().join());
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString()).contains("WRONGPASS").doesNotContain(CANARY);
            }
            assertThat(logs.everything()).isNotEmpty().noneMatch(line -> line.contains(CANARY));
        }
    }
}
