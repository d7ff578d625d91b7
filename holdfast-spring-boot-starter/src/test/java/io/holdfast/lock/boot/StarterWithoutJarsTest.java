package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications of Spring Boot that are assembled without what is optional: their class path lacks the jars. */
@RedisTest
@Tag("proof")
@Tag("once")
class StarterWithoutJarsTest {

    private static final String REDIS = "spring-boot-data-redis|spring-boot-data-commons|spring-data-.*|lettuce.*";

    @ParameterizedTest
    @CsvSource({
        "nothing, none.Absent",
        "spring-boot-.*actuator.*|spring-boot-health, org.springframework.boot.health.contributor.Health",
        "micrometer-core|spring-boot-.*micrometer.*|lock-micrometer, io.micrometer.core.instrument.MeterRegistry",
        "spring-tx|spring-jdbc|spring-boot-transaction|spring-boot-.*jdbc|spring-boot-persistence|" + REDIS
                + ", org.springframework.transaction.TransactionManager",
        REDIS + ", org.springframework.data.redis.core.RedisTemplate",
        "reactor-core|reactive-streams|" + REDIS + ", reactor.core.publisher.Mono",
        "lock-memory, io.holdfast.lock.memory.InMemoryLocks",
        "spring-boot-.*actuator.*|spring-boot-health|micrometer-core|spring-boot-.*micrometer.*|lock-micrometer|spring-tx"
                + "|spring-jdbc|spring-boot-transaction|spring-boot-.*jdbc|spring-boot-persistence|reactor-core|reactive-streams"
                + "|lock-memory|" + REDIS + ", reactor.core.publisher.Mono"
    })
    void locksWorkWithout(String libraries, String absent, RedisServer redis) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(pathWithout(libraries), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            assertThat(loader.getResource(absent.replace('.', '/') + ".class")).isNull();
            Class<?> application = loader.loadClass(Application.class.getName());
            Object result = application.getMethod("run", String.class).invoke(null, redis.url());
            assertThat(result).isEqualTo("locked");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Jars of others by their names, and modules of ours by their folders. */
    private static URL[] pathWithout(String libraries) throws Exception {
        Pattern left = Pattern.compile(".*/(" + libraries + ")(-[0-9][^/]*[.]jar|/target/classes/?)");
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
            if (!left.matcher(entry).matches()) {
                path.add(Path.of(entry).toUri().toURL());
            }
        }
        return path.toArray(URL[]::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    public static class Application {

        @Bean
        Service service() {
            return new Service();
        }

        public static String run(String url) {
            SpringApplication application = new SpringApplication(Application.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            try (ConfigurableApplicationContext context = application.run(
                    "--holdfast.url=" + url, "--spring.main.banner-mode=off", "--logging.level.root=warn")) {
                return context.getBean(Service.class).run();
            }
        }
    }

    public static class Service {

        @Locked("k")
        public String run() {
            LockAssert.assertLocked("k");
            return "locked";
        }
    }
}
