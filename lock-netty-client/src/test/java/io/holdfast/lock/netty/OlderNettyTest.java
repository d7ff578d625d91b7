package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.ServerTls;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client on Netty 4.1, which frameworks manage (Spring Boot 3, Vert.x 4, gRPC): in a process with that on its class path, and
 * nothing of 4.2.
 */
@RedisTest
class OlderNettyTest {

    @TempDir
    Path directory;

    @Test
    void aLockIsHandedBetweenClientsOverNio(RedisServer server) throws Exception {
        assertThat(said(server.url(), IoTransport.NIO)).contains("Netty 4.1.", "over NIO: 400 turns");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void epollIsTakenByItself(RedisServer server) throws Exception {
        assertThat(said(server.url(), IoTransport.AUTO)).contains("Netty 4.1.", "over EPOLL: 400 turns");
    }

    @Test
    void tlsWorks() throws Exception {
        Certificates authority = Certificates.newAuthority();
        try (RedisServer server = RedisServer.builder()
                .tls(new ServerTls(authority, authority.server("localhost", "127.0.0.1"), false))
                .start()) {
            Path trusted = Files.writeString(directory.resolve("authority.pem"), authority.pem());
            assertThat(said(server.url(), IoTransport.NIO, trusted.toString())).contains("over NIO: 400 turns");
        }
    }

    /** Netty 4.1 has it in an incubator only. */
    @Test
    void ioUringSaysWhichNettyItNeeds(RedisServer server) throws Exception {
        assertThat(said(server.url(), IoTransport.IO_URING))
                .contains("transport IO_URING can't be used here: Netty 4.1.")
                .contains("is on the class path (expected: 4.2 or later, in all of its modules)");
    }

    @Test
    void modulesOfTwoVersionsAreNamed(RedisServer server) throws Exception {
        assertThat(said(classPath("netty-buffer"), server.url(), IoTransport.NIO))
                .contains(
                        "Netty 4.1 and 4.2 are mixed on the class path: {", "netty-buffer=4.1.", "netty-transport=4.2.")
                .contains("(expected: one version in all modules)");
    }

    private static String said(String url, IoTransport transport, String... trusted) throws Exception {
        return said(classPath("netty-"), url, transport, trusted);
    }

    private static String said(String classPath, String url, IoTransport transport, String... trusted)
            throws Exception {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                classPath,
                                OlderNettyProgram.class.getName(),
                                url,
                                transport.name()),
                        Stream.of(trusted))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** That of this test, with the older Netty in place of the modules whose names begin so. */
    private static String classPath(String modules) throws IOException {
        Stream<String> own = Arrays.stream(
                        System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(modules));
        try (Stream<Path> older = Files.list(Path.of("target", "older-netty"))) {
            List<String> jars = older.filter(jar -> jar.getFileName().toString().startsWith(modules))
                    .map(Path::toString)
                    .toList();
            assertThat(jars).isNotEmpty();
            return Stream.concat(jars.stream(), own).collect(Collectors.joining(File.pathSeparator));
        }
    }
}
