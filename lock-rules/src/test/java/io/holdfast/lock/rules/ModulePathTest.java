package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.InMemoryLocks;
import io.holdfast.lock.netty.NettyLockProvider;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.TlsMode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.AddressResolver;
import io.netty.util.AttributeMap;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luaj.vm2.LuaValue;
import org.slf4j.Logger;

/** A program on the module path takes a lock, with nothing but the two published modules and what they need. */
class ModulePathTest {
    private static final String MODULE =
            """
            module consumer {
                requires io.holdfast.lock.core;
            }
            """;

    private static final String PROGRAM =
            """
            package consumer;

            import io.holdfast.lock.ClientOptions;
            import io.holdfast.lock.LockClient;
            import io.holdfast.lock.RLock;
            import java.time.Duration;

            public class Program {
                public static void main(String[] arguments) throws Exception {
                    ClientOptions patient = ClientOptions.builder()
                            .connectTimeout(Duration.ofSeconds(30))
                            .commandTimeout(Duration.ofSeconds(10))
                            .build();
                    try (LockClient client = LockClient.connect(arguments[0], patient)) {
                        RLock lock = client.getLock("modular");
                        lock.lock();
                        System.out.println("locked from " + Program.class.getModule() + ": " + lock.isHeldByCurrentThread());
                        lock.unlock();
                    }
                }
            }
            """;

    private static final String MODULE_PATH = Stream.of(
                    LockClient.class,
                    NettyLockProvider.class,
                    NullMarked.class,
                    Logger.class,
                    AttributeMap.class,
                    ByteBuf.class,
                    AddressResolver.class,
                    Channel.class)
            .map(ModulePathTest::location)
            .collect(Collectors.joining(File.pathSeparator));

    private static final String TLS_MODULE_PATH = Stream.of(
                    SslHandler.class, ByteToMessageDecoder.class, UnixChannel.class)
            .map(ModulePathTest::location)
            .collect(Collectors.joining(File.pathSeparator, MODULE_PATH + File.pathSeparator, ""));

    private static final String MEMORY_MODULES = Stream.of(InMemoryLocks.class, LuaValue.class)
            .map(ModulePathTest::location)
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    Path directory;

    @Test
    void aProgramTakesALock() throws IOException, InterruptedException {
        assertThat(compile(PROGRAM)).isEmpty();
        try (RedisServer server = RedisServer.start()) {
            assertThat(run(server.url(), "-p", MODULE_PATH)).contains("locked from module consumer: true");
        }
    }

    /** The module of TLS is optional, so no other asks for it: the program's start does. */
    @Tag("proof")
    @Test
    void aProgramTakesALockByTls() throws IOException, InterruptedException {
        assertThat(compile(PROGRAM)).isEmpty();
        try (RedisServer server = RedisServer.builder().tls(TlsMode.SERVER).start()) {
            Path store = server.tls().authority().writeStore(directory.resolve("trust.p12"), "PKCS12", "changeit");
            String said = run(
                    server.url(),
                    "-p",
                    TLS_MODULE_PATH,
                    "--add-modules",
                    "io.netty.handler",
                    "-Djavax.net.ssl.trustStore=" + store,
                    "-Djavax.net.ssl.trustStorePassword=changeit");
            assertThat(said).contains("locked from module consumer: true");
        }
    }

    /** With locks in memory in place of the client of servers, and without JUnit, which that needs for its extension only. */
    @Test
    @Tag("proof")
    void aProgramTakesALockInMemory() throws IOException, InterruptedException {
        assertThat(compile(PROGRAM)).isEmpty();
        String withoutNetty = Stream.of(LockClient.class, NullMarked.class, Logger.class)
                .map(ModulePathTest::location)
                .collect(Collectors.joining(File.pathSeparator, MEMORY_MODULES + File.pathSeparator, ""));
        assertThat(run("memory:", "-p", withoutNetty)).contains("locked from module consumer: true");
    }

    /** As in an image that was linked without it. */
    @ParameterizedTest
    @ValueSource(strings = {"io.holdfast.lock.netty", "io.holdfast.lock.memory"})
    @Tag("proof")
    @Tag("once")
    void aProgramTakesALockWhereThereIsNoFlightRecorder(String transport) throws IOException, InterruptedException {
        String asking = "System.out.println(ModuleLayer.boot().findModule(\"jdk.jfr\"));";
        assertThat(compile(PROGRAM.replace("lock.lock();", "lock.lock();\n" + asking)))
                .isEmpty();
        String modules = MODULE_PATH + File.pathSeparator + MEMORY_MODULES;
        try (RedisServer server = RedisServer.start()) {
            String url = transport.endsWith("memory") ? "memory:" : server.url();
            assertThat(run(url, "-p", modules, "--limit-modules", transport))
                    .contains("Optional.empty", "locked from module consumer: true");
        }
    }

    @Test
    void theEngineIsOutOfReach() throws IOException {
        assertThat(compile(PROGRAM.replace("RLock;", "RLock;\nimport io.holdfast.lock.engine.EngineClient;")))
                .contains("package io.holdfast.lock.engine is not visible");
    }

    /** Compiles the program as a module, and returns what the compiler had to say. */
    private String compile(String program) throws IOException {
        Path module = Files.writeString(directory.resolve("module-info.java"), MODULE);
        Path source = Files.createDirectories(directory.resolve("consumer")).resolve("Program.java");
        Files.writeString(source, program);
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        String classes = directory.resolve("classes").toString();
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(writer, writer, "-p", MODULE_PATH, "-d", classes, module.toString(), source.toString());
        return said.toString();
    }

    /** Runs the program; the second of the options is the module path, to which the program is added. */
    private String run(String url, String... options) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(List.of(options));
        command.set(2, options[1] + File.pathSeparator + directory.resolve("classes"));
        command.addAll(List.of("-m", "consumer/consumer.Program", url));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(exit).as(said).isZero();
        return said;
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
