package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
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
import org.slf4j.Logger;

/** A transport that is a module of its own works on the module path, with nothing but the core and what that needs. */
@Tag("proof")
class TransportModuleTest {

    private static final Path SOURCES = Path.of("src/test/modules/memory");

    private static final String MODULE_PATH = Stream.of(LockClient.class, NullMarked.class, Logger.class)
            .map(TransportModuleTest::location)
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    Path directory;

    @Test
    void aTransportOfAnotherProjectKeepsLocks() throws IOException, InterruptedException {
        assertThat(compile()).isEmpty();
        assertThat(run()).contains("held: true, refused: true", "later: HELD with token 2");
    }

    private String compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-p", MODULE_PATH, "-d", classes()));
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, arguments.toArray(String[]::new));
        return said.toString();
    }

    private String run() throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-p", MODULE_PATH + File.pathSeparator + classes(), "-m", "memory/memory.Program")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(exit).as(said).isZero();
        return said;
    }

    private String classes() {
        return directory.resolve("classes").toString();
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
