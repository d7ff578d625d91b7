package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.TlsMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;

/** What a person reads whose application does not start: Spring Boot's own report, by our analyzers. */
@Tag("proof")
class StarterFailureTextTest {

    @Test
    void noAddress() {
        assertThat(printed()).contains("there is no address for the locks").contains("Set holdfast.url");
    }

    @Test
    void aMisspeltProperty() {
        assertThat(printed("holdfast.memory=true", "holdfast.lock.prefx=orders"))
                .contains("property holdfast.lock.prefx is unknown (the nearest is holdfast.lock.prefix)")
                .doesNotContain("orders");
    }

    @Test
    void aPasswordThatIsRefused() {
        try (RedisServer redis =
                RedisServer.builder().option("requirepass", "right").start()) {
            assertThat(printed("holdfast.url=" + redis.url(), "holdfast.password=wrong-one"))
                    .contains("Holdfast can't connect")
                    .contains("WRONGPASS")
                    .contains("holdfast.password")
                    .doesNotContain("wrong-one");
            assertThat(printed("holdfast.url=" + redis.url()))
                    .contains("NOAUTH")
                    .contains("holdfast.password");
        }
    }

    @Test
    void tlsAtAServerThatSpeaksNone() {
        try (RedisServer redis = RedisServer.start()) {
            assertThat(printed("holdfast.url=" + redis.url().replace("redis:", "rediss:")))
                    .contains("TLS")
                    .contains("on a port without TLS write redis://");
        }
    }

    @Test
    void noTlsAtAServerThatWantsIt() {
        try (RedisServer redis = RedisServer.builder().tls(TlsMode.SERVER).start()) {
            assertThat(printed("holdfast.url=" + redis.url().replace("rediss:", "redis:")))
                    .contains("rediss://");
        }
    }

    @Test
    void aCertificateThatIsNotTrusted() {
        try (RedisServer redis = RedisServer.builder().tls(TlsMode.SERVER).start()) {
            assertThat(printed("holdfast.url=" + redis.url()))
                    .contains("TLS")
                    .contains("holdfast.tls.trust-certificates");
        }
    }

    @Test
    void aSentinelWrittenAsAServer() {
        try (SentinelGroup group = SentinelGroup.builder().replicas(1).start()) {
            assertThat(printed("holdfast.url=redis://"
                            + group.addressOf(group.sentinels().get(0))))
                    .contains("Sentinel")
                    .contains("redis-sentinel://");
        }
    }

    @Test
    void aNameThatSentinelsDoNotKnow() {
        try (SentinelGroup group = SentinelGroup.builder().replicas(1).start()) {
            assertThat(printed("holdfast.url=redis-sentinel://"
                            + group.addressOf(group.sentinels().get(0)) + "/misspelt"))
                    .contains("Holdfast can't connect", "no primary named misspelt is known")
                    .contains("spring.data.redis.sentinel.master");
        }
    }

    @Test
    void aServerThatIsNotThere() {
        int port;
        try (RedisServer redis = RedisServer.start()) {
            port = redis.port();
        }
        assertThat(printed("holdfast.url=redis://127.0.0.1:" + port))
                .contains("127.0.0.1:" + port)
                .contains("holdfast.lazy=true");
    }

    @Test
    void aServerAloneWrittenAsACluster() {
        try (RedisServer redis = RedisServer.start()) {
            assertThat(printed("holdfast.url=redis-cluster://" + redis.host() + ":" + redis.port()))
                    .contains("Holdfast can't connect", "this server is not part of a cluster")
                    .contains("spring.data.redis.cluster.nodes");
        }
    }

    private static final String REPORTER = "org.springframework.boot.diagnostics.LoggingFailureAnalysisReporter";

    private static String printed(String... properties) {
        SpringApplication application = new SpringApplication(WebApplication.Main.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        List<String> arguments = new ArrayList<>(List.of(
                "--holdfast.connect-timeout=2s", "--spring.main.banner-mode=off", "--logging.level.root=error"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        // Spring Boot sets up logging as it starts; an appender of before would be taken off.
        ListAppender<ILoggingEvent> report = new ListAppender<>();
        application.addInitializers(context -> {
            report.start();
            Logger reporter = (Logger) LoggerFactory.getLogger(REPORTER);
            reporter.setAdditive(false);
            reporter.addAppender(report);
        });
        Throwable failure = catchThrowable(
                () -> application.run(arguments.toArray(String[]::new)).close());
        assertThat(failure).isNotNull();
        String text =
                report.list.stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.joining("\n"));
        assertThat(text).contains("APPLICATION FAILED TO START");
        return text;
    }
}
