package io.holdfast.lock.tests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * A wall clock for a server process that can be set wrong, and stepped while the server runs. A small library, compiled
 * here and preloaded, adds to the time of day what a file says.
 */
public final class ShiftedClock {

    private static final String SOURCE = "/io/holdfast/lock/tests/quorum/shifted-clock.c";

    private final Path library;
    private final Path shift;

    private ShiftedClock(Path library, Path shift) {
        this.library = library;
        this.shift = shift;
    }

    /** A clock that is right so far; its files go into the directory. Skips the test where that can't be had. */
    public static ShiftedClock in(Path directory) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux"), "clocks are shifted by LD_PRELOAD, which is of Linux");
        Optional<Path> compiler = compiler();
        Assumptions.assumeTrue(
                compiler.isPresent(), "there is no C compiler (cc, gcc or clang) to build the shifted clock with");
        Path library = directory.resolve("shifted-clock.so");
        if (!Files.exists(library)) {
            compile(compiler.orElseThrow(), library);
        }
        ShiftedClock clock = new ShiftedClock(library, Files.createTempFile(directory, "shift", ".bin"));
        clock.set(Duration.ZERO);
        return clock;
    }

    private static Optional<Path> compiler() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(directory -> List.of("cc", "gcc", "clang").stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static void compile(Path compiler, Path library) throws IOException, InterruptedException {
        Path source = library.resolveSibling("shifted-clock.c");
        try (InputStream code = ShiftedClock.class.getResourceAsStream(SOURCE)) {
            Files.copy(code, source);
        }
        Process run = new ProcessBuilder(
                        compiler.toString(), "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(run.getInputStream().readAllBytes());
        assertThat(run.waitFor()).as(said).isZero();
    }

    /** Sets how far the clock is ahead of the right time, from the next look at it on. */
    public void set(Duration ahead) throws IOException {
        ByteBuffer micros = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        micros.putLong(0, ahead.toNanos() / 1_000);
        // In place: a new file would not be the one that is mapped.
        try (var file = Files.newByteChannel(shift, java.nio.file.StandardOpenOption.WRITE)) {
            file.write(micros);
        }
    }

    /** What a process needs in its environment to live by this clock. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "SHIFTED_CLOCK", shift.toString());
    }
}
