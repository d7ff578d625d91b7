package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.client.LockProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Row 38: the client's wall clock jumps. It can't be made to jump for one process everywhere, but what never asks for
 * the time of day can't be hurt by it: no class of the library refers to anything that does.
 */
class WallClockTest {

    private static final List<String> WALL_CLOCKS = List.of(
            "currentTimeMillis",
            "java/time/Clock",
            "java/util/Date",
            "java/util/Calendar",
            "java/util/Timer",
            "java/time/LocalDateTime",
            "java/time/ZonedDateTime");

    @Test
    void noClassOfTheLibraryReadsTheTimeOfDay() throws Exception {
        List<String> readers = new ArrayList<>();
        for (Class<?> anchor : List.of(LockClient.class, provider())) {
            readers.addAll(readersOfWallClocks(anchor, WALL_CLOCKS));
        }
        // The JDK's Condition takes its deadline as a date; the present time comes from the SPI.
        assertThat(readers)
                .filteredOn(reader -> !reader.endsWith("EngineCondition.class: java/util/Date"))
                .isEmpty();
    }

    /** The scan finds what it looks for: this class's own references. */
    @Test
    void theScanBites() throws Exception {
        assertThat(readersOfWallClocks(WallClockTest.class, List.of("java/nio/file/FileSystems")))
                .anyMatch(reader -> reader.contains("WallClockTest"));
    }

    private static Class<?> provider() {
        return LockProvider.serving("redis://127.0.0.1").getClass();
    }

    private static List<String> readersOfWallClocks(Class<?> anchor, List<String> references)
            throws IOException, URISyntaxException {
        URI place = anchor.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path path = Path.of(place);
        if (Files.isDirectory(path)) {
            return scan(path, references);
        }
        try (FileSystem jar = FileSystems.newFileSystem(path, Map.of())) {
            return scan(jar.getPath("/"), references);
        }
    }

    private static List<String> scan(Path root, List<String> references) throws IOException {
        List<String> readers = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> classes =
                    files.filter(file -> file.toString().endsWith(".class")).toList();
            assertThat(classes).hasSizeGreaterThan(10);
            for (Path file : classes) {
                String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                for (String reference : references) {
                    if (content.contains(reference)) {
                        readers.add(file + ": " + reference);
                    }
                }
            }
        }
        return readers;
    }
}
