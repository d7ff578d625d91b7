package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RedisServer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two instances of the shop as processes, with one Redis and one database, driven over HTTP. */
@Tag("proof")
@Tag("once")
class ShopFleetTest {

    private static final int BUYERS = 200;
    private static final int TICK_SECONDS = 6;

    @TempDir
    static Path directory;

    private static RedisServer redis;
    private static Server database;
    private static String databaseUrl;
    private static ShopProcess first;
    private static ShopProcess second;

    @BeforeAll
    static void open() throws Exception {
        redis = RedisServer.start();
        database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        databaseUrl = "jdbc:h2:tcp://localhost:" + database.getPort() + "/"
                + directory.resolve("shop").toAbsolutePath();
        // Before there are two that would do it at the same time.
        try (Connection connection = DriverManager.getConnection(databaseUrl)) {
            connection.createStatement().execute("runscript from 'classpath:schema.sql'");
        }
        // On a machine that is busy, all buyers are there before the first one has paid.
        String payment = "--shop.payment-time=2s";
        String everyTick = "--shop.report.cron=*/" + TICK_SECONDS + " * * * * *";
        first = instance("first.log", payment, everyTick, "--shop.report.at-least=3s");
        second = instance("second.log", payment, everyTick, "--shop.report.at-least=3s");
        first.port();
        second.port();
    }

    @AfterAll
    static void close() {
        for (ShopProcess shop : new ShopProcess[] {first, second}) {
            if (shop != null) {
                shop.close();
            }
        }
        if (database != null) {
            database.stop();
        }
        if (redis != null) {
            redis.close();
        }
    }

    private static ShopProcess instance(String log, String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("--spring.datasource.url=" + databaseUrl);
        arguments.add("--holdfast.url=" + redis.url());
        arguments.add("--holdfast.locked.wait=1m");
        arguments.add("--holdfast.lock.watchdog-lease=5s");
        return ShopProcess.start(directory.resolve(log), arguments.toArray(String[]::new));
    }

    private static List<Integer> buyAtBoth(String item, boolean locked) {
        first.fill(item, 1);
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        answers.addAll(first.buyAtOnce(item, BUYERS, locked));
        answers.addAll(second.buyAtOnce(item, BUYERS, locked));
        return answers.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void anItemIsSoldOnce() {
        List<Integer> answers = buyAtBoth("book", true);
        assertThat(answers).hasSize(2 * BUYERS).containsOnly(201, 409).containsOnlyOnce(201);
        assertThat(second.get("/items/book/sales")).hasSize(1);
        assertThat(second.get("/items/book").asInt()).isZero();
    }

    @Test
    void withoutALockItIsSoldMoreThanOnce() {
        List<Integer> answers = buyAtBoth("pen", false);
        assertThat(answers).hasSize(2 * BUYERS).isSubsetOf(201, 409);
        assertThat(second.get("/items/pen/sales")).hasSizeGreaterThan(1);
    }

    @Test
    void aHolderThatIsKilledIsNamedAndFollowedByAnother() throws Exception {
        first.fill("lamp", 1);
        try (ShopProcess doomed = instance("doomed.log", "--shop.payment-time=10m")) {
            CompletableFuture<Integer> neverSold = doomed.buy("lamp", "patient", true);
            JsonNode holder = await().atMost(Duration.ofSeconds(20))
                    .until(
                            () -> first.get("/actuator/holdfast/item:lamp").at("/holders/0"),
                            named -> named.at("/process").isObject());
            assertThat(holder.at("/ofThisClient").asBoolean()).isFalse();
            assertThat(holder.at("/process/application").asString()).isEqualTo("shop");
            assertThat(holder.at("/process/host").asString())
                    .isEqualTo(InetAddress.getLocalHost().getHostName());
            assertThat(holder.at("/process/processId").asLong()).isEqualTo(doomed.pid());

            CompletableFuture<Integer> next = first.buy("lamp", "next", true);
            await().until(() -> first.get("/actuator/holdfast")
                    .at("/lockClient/waiters/0/name")
                    .asString()
                    .equals("item:lamp"));
            assertThat(next).isNotDone();
            long killed = System.nanoTime();
            doomed.kill();

            assertThat(next.join()).isEqualTo(201);
            // Of a lease of five seconds at least two thirds were left.
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isGreaterThan(Duration.ofSeconds(1));
            assertThat(neverSold).isCompletedExceptionally();
            assertThat(second.get("/items/lamp/sales"))
                    .singleElement()
                    .extracting(sale -> sale.at("/processId").asLong())
                    .isEqualTo(first.pid());
        }
    }

    @Test
    void theReportIsWrittenOncePerTickOfTheFleet() {
        await().atMost(Duration.ofMinutes(1)).until(() -> runs(first) >= 4 && runs(second) >= 4);
        Map<Long, Long> reportsByTick = reports().stream()
                .map(report -> Instant.parse(report.at("/writtenAt").asString()))
                .collect(Collectors.groupingBy(
                        written -> written.getEpochSecond() / TICK_SECONDS, Collectors.counting()));
        assertThat(reportsByTick).hasSizeGreaterThanOrEqualTo(4).values().containsOnly(1L);
        long firstTick = reportsByTick.keySet().stream().min(Long::compare).orElseThrow();
        long lastTick = reportsByTick.keySet().stream().max(Long::compare).orElseThrow();
        assertThat(reportsByTick).hasSize((int) (lastTick - firstTick + 1));
    }

    private static List<JsonNode> reports() {
        return first.get("/reports").valueStream().toList();
    }

    /** How often its schedule came, whether it wrote the report or left that to the other. */
    private static long runs(ShopProcess shop) {
        long written = reports().stream()
                .filter(report -> report.at("/processId").asLong() == shop.pid())
                .count();
        double skipped = shop.get("/actuator/metrics/holdfast.locked.skipped")
                .at("/measurements/0/value")
                .asDouble();
        return written + (long) skipped;
    }
}
