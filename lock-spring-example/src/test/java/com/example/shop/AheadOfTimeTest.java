package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** The shop, processed as {@code mvn spring-boot:process-aot} does it, and started from what that has made. */
@RedisTest
@Tag("proof")
@Tag("once")
class AheadOfTimeTest {

    /** Another client than the default one: its bean is not made by a method of a configuration. */
    private static final String NAMED = "--holdfast.clients.batch.url=";

    @TempDir
    Path directory;

    @Test
    void aShopThatWasProcessedStartsAndLocks(RedisServer redis) throws Exception {
        Path sources = directory.resolve("sources");
        Path resources = directory.resolve("resources");
        Path proxies = directory.resolve("proxies");
        Path compiled = Files.createDirectory(directory.resolve("compiled"));
        process(sources, resources, proxies);
        compile(sources, proxies, compiled);

        try (ShopProcess shop = ShopProcess.start(
                directory.resolve("shop.log"),
                List.of("-Dspring.aot.enabled=true"),
                List.of(compiled, resources, proxies),
                "--spring.datasource.url=jdbc:h2:mem:shop",
                "--holdfast.url=" + redis.url(),
                NAMED + redis.url())) {
            shop.fill("book", 1);
            assertThat(shop.log()).contains("Starting AOT-processed ShopApplication");
            assertThat(shop.get("/actuator/holdfast").propertyNames()).containsExactly("batchLockClient", "lockClient");
            for (String client : List.of("", "?client=batch", "?client=lockClient")) {
                assertThat(shop.get("/actuator/holdfast/item:book" + client)
                                .at("/name")
                                .asString())
                        .isEqualTo("item:book");
            }
            List<Integer> answers = shop.buyAtOnce("book", 10, true).stream()
                    .map(CompletableFuture::join)
                    .toList();
            assertThat(answers).containsOnly(201, 409).containsOnlyOnce(201);
            // That the locks were taken, and the database did not do it by chance.
            assertThat(shop.get("/actuator/metrics/holdfast.lock.hold")
                            .at("/measurements/0/value")
                            .asInt())
                    .isEqualTo(10);
        }
    }

    /** In a process of its own, which ends by itself. */
    private void process(Path sources, Path resources, Path classes) throws IOException, InterruptedException {
        List<String> command = ShopProcess.java(List.of(), List.of());
        command.add(SpringApplicationAotProcessor.class.getName());
        command.add(ShopApplication.class.getName());
        for (Path output : List.of(sources, resources, classes)) {
            command.add(output.toString());
        }
        command.addAll(List.of("com.example", "shop"));
        command.add(NAMED + "redis://not-asked-for-at-build-time");
        Path log = directory.resolve("processing.log");
        Process processing = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(processing.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(processing.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            processing.destroyForcibly();
        }
    }

    private static void compile(Path sources, Path proxies, Path compiled) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn",
                "-proc:none",
                "-d",
                compiled.toString(),
                "-cp",
                String.join(File.pathSeparator, proxies.toString(), System.getProperty("java.class.path"))));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> arguments.add(file.toString()));
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("compiling what was generated")
                .isZero();
    }
}
