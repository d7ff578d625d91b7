package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Applications that were assembled without what is optional: real processes, whose class paths lack it. */
@RedisTest
@Tag("proof")
@Tag("once")
class AssembledApplicationsTest {

    private static final String ACTUATOR = "spring-boot-(starter-)?actuator.*|spring-boot-health";
    private static final String MICROMETER = "micrometer-.*|spring-boot-(starter-)?micrometer-.*|lock-micrometer";
    private static final String TX = "spring-tx|spring-boot-(transaction|persistence|sql)";
    private static final String REACTOR = "reactor-core|reactive-streams|lettuce-core";
    private static final String DATA_REDIS = "spring-data-.*|spring-boot-data-.*|lettuce-core|redis-authx-core";

    /** What tests need, and a database that would have to be there. */
    private static final String NEVER =
            "lock-testkit|junit-.*|assertj-.*|spring-(boot-)?test|embedded-redis|spring-jdbc|spring-boot-(starter-)?jdbc";

    @TempDir
    Path directory;

    /** Spring Data needs spring-tx. */
    @ParameterizedTest
    @CsvSource({
        "nothing, none.such.Type",
        ACTUATOR + ", org.springframework.boot.actuate.endpoint.annotation.Endpoint",
        MICROMETER + ", io.micrometer.observation.ObservationRegistry",
        TX + "|" + DATA_REDIS + ", org.springframework.transaction.TransactionManager",
        REACTOR + ", reactor.core.publisher.Mono",
        DATA_REDIS + ", org.springframework.data.redis.connection.RedisConnection",
        ACTUATOR + "|" + MICROMETER + "|" + TX + "|" + REACTOR + "|" + DATA_REDIS + ", reactor.core.publisher.Mono"
    })
    void locksWithout(String libraries, String absent, RedisServer redis) throws Exception {
        assertThat(printed(libraries, absent, redis.url()))
                .containsPattern("locked by token [1-9][0-9]*, later, template")
                .doesNotContain("WARN", "ERROR")
                .endsWith("exit 0");
    }

    @Test
    void anAddressWithTlsWithoutItsModuleIsReported() throws Exception {
        String absent = "io.netty.handler.ssl.SslHandler";
        assertThat(printed("netty-handler|" + DATA_REDIS, absent, "rediss://localhost:6380"))
                .contains("APPLICATION FAILED TO START", "io.netty:netty-handler is not on the class path", "Action:")
                .doesNotContain("\tat ");
    }

    private String printed(String libraries, String absent, String url) throws Exception {
        Path log = directory.resolve("application.log");
        Process application = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPathWithout(libraries),
                        SmallApplication.class.getName(),
                        absent,
                        "--spring.main.web-application-type=none",
                        "--holdfast.url=" + url))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            // By itself: so nothing was left that keeps a JVM.
            assertThat(application.waitFor(2, TimeUnit.MINUTES)).isTrue();
            return Files.readString(log) + "exit " + application.exitValue();
        } finally {
            application.destroyForcibly();
        }
    }

    /** A jar by its name without the version, one of ours by its module. */
    private static String classPathWithout(String libraries) {
        Pattern left = Pattern.compile(".*/(" + NEVER + "|" + libraries + ")(-[0-9][^/]*[.]jar|/target/classes)");
        return Arrays.stream(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(entry ->
                        !left.matcher(entry.replace(File.separatorChar, '/')).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
