package io.holdfast.lock.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.holdfast.lock.netty.address.RedisUri;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URL;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tries again what the fuzzer has found worth keeping: each input ends as its target says, soon, and without taking much
 * memory for its size.
 */
class CorpusTest {

    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final long MOST_BYTES_ALLOCATED = 4 << 20;
    private static final int LARGEST_INPUT_BYTES = 2_048;

    @TestFactory
    Stream<DynamicTest> decoder() throws IOException {
        return tests("decoder", DecoderTarget::fuzzerTestOneInput);
    }

    @TestFactory
    Stream<DynamicTest> url() throws IOException {
        return tests("url", UrlTarget::fuzzerTestOneInput);
    }

    /** Were the corpus lost, its tests would pass. */
    @Test
    void theCorpusIsThereAndSmall() throws IOException {
        for (String target : List.of("decoder", "url")) {
            List<Path> inputs = inputs(target);
            assertThat(inputs).as(target).hasSizeBetween(20, 200);
            for (Path input : inputs) {
                assertThat(Files.size(input)).as(input.toString()).isLessThan(LARGEST_INPUT_BYTES);
            }
        }
    }

    /** From an input that is read the fuzzer finds others; of a scheme without one it would find complaints only. */
    @Test
    void theCorpusHasAnAddressOfEachScheme() throws IOException {
        Set<String> read = new TreeSet<>();
        for (Path input : inputs("url")) {
            try {
                String text = Files.readString(input);
                RedisUri.parse(text);
                read.add(text.substring(0, text.indexOf(':')));
            } catch (IllegalArgumentException | CharacterCodingException refused) {
                continue;
            }
        }
        assertThat(read)
                .containsExactly(
                        "redis",
                        "redis-replicas",
                        "redis-sentinel",
                        "rediss",
                        "rediss-replicas",
                        "rediss-sentinel",
                        "unix");
    }

    private static Stream<DynamicTest> tests(String name, Consumer<byte[]> target) throws IOException {
        // Classes are loaded before anything is measured.
        target.accept(new byte[0]);
        return inputs(name).stream()
                .map(input -> DynamicTest.dynamicTest(
                        input.getFileName().toString(), () -> run(target, Files.readAllBytes(input))));
    }

    private static void run(Consumer<byte[]> target, byte[] input) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = assertTimeoutPreemptively(LONGEST, () -> {
            long before = threads.getCurrentThreadAllocatedBytes();
            target.accept(input);
            return threads.getCurrentThreadAllocatedBytes() - before;
        });
        assertThat(allocated).as("bytes allocated").isLessThan(MOST_BYTES_ALLOCATED);
    }

    private static List<Path> inputs(String target) throws IOException {
        URL directory = Objects.requireNonNull(
                CorpusTest.class.getResource("corpus/" + target), () -> "no corpus of " + target);
        try (Stream<Path> files = Files.list(Path.of(URI.create(directory.toString())))) {
            return files.sorted().toList();
        }
    }
}
