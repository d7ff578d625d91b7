package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.EnableLocks;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the starter adds to the start of an application that has a client anyway: each start is a process of its own. */
@RedisTest
@Tag("long")
@Tag("once")
class StartFigureTest {

    private static final int STARTS = 10;

    /** Counts the threads of a client that has had a lock and is idle: those for listeners come and go. */
    private static final String IDLE = "idle";

    @Test
    void theStarterAddsLittleTimeAndNoThreads(RedisServer redis) throws Exception {
        List<Started> byHand = new ArrayList<>();
        List<Started> byStarter = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            byHand.add(Started.of(ByHand.class, redis, ""));
            byStarter.add(Started.of(ByStarter.class, redis, ""));
        }
        long threadsByHand = Started.of(ByHand.class, redis, IDLE).threads();
        long threadsByStarter = Started.of(ByStarter.class, redis, IDLE).threads();
        System.out.println("start of an application in ms, median of " + STARTS + ": client by hand " + median(byHand)
                + ", by the starter " + median(byStarter) + "; threads " + threadsByHand + " and " + threadsByStarter);
        assertThat(threadsByStarter).isLessThanOrEqualTo(threadsByHand);
    }

    private static long median(List<Started> starts) {
        return starts.stream().mapToLong(Started::millis).sorted().toArray()[STARTS / 2];
    }

    record Started(long millis, long threads) {

        static Started of(Class<?> application, RedisServer redis, String mode) throws Exception {
            Process process = new ProcessBuilder(
                            System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            application.getName(),
                            redis.url(),
                            mode)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                String[] last = printed.substring(printed.lastIndexOf("started "))
                        .strip()
                        .split(" ");
                return new Started(Long.parseLong(last[1]), Long.parseLong(last[2]));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    static void start(Class<?> application, String url, String mode) throws Exception {
        SpringApplication spring = new SpringApplication(application);
        spring.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context =
                spring.run("--holdfast.url=" + url, "--spring.main.banner-mode=off", "--logging.level.root=off")) {
            long millis = ManagementFactory.getRuntimeMXBean().getUptime();
            if (mode.equals(IDLE)) {
                context.getBean(LockClient.class).getLock("figure").acquire().close();
                await().pollInSameThread().atMost(Duration.ofSeconds(30)).until(StartFigureTest::callbacksHaveGone);
            }
            System.out.println("started " + millis + " "
                    + ManagementFactory.getThreadMXBean().getThreadCount());
        }
    }

    private static boolean callbacksHaveGone() {
        return Starter.threads().stream().noneMatch(name -> name.contains("-callback-"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            exclude = {
                HoldfastAutoConfiguration.class,
                HoldfastLockedAutoConfiguration.class,
                HoldfastHealthAutoConfiguration.class,
                HoldfastEndpointAutoConfiguration.class,
                HoldfastMetricsAutoConfiguration.class
            })
    @EnableLocks
    public static class ByHand {

        @Bean
        LockClient lockClient(@org.springframework.beans.factory.annotation.Value("${holdfast.url}") String url) {
            return LockClient.connect(url);
        }

        public static void main(String[] arguments) throws Exception {
            start(ByHand.class, arguments[0], arguments[1]);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    public static class ByStarter {

        public static void main(String[] arguments) throws Exception {
            start(ByStarter.class, arguments[0], arguments[1]);
        }
    }
}
