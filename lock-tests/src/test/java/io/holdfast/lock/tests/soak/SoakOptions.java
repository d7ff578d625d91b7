package io.holdfast.lock.tests.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How to soak. */
@Command(
        name = "lock-tests/soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Four JVMs, thousands of locks, servers and networks with random faults.")
class SoakOptions {

    private long minutes = 30;

    @Option(
            names = "--seed",
            description = "repeats the faults and the operations of an earlier run; by default a new one")
    private long seed = System.currentTimeMillis();

    @Option(names = "--page", description = "writes the result as Markdown there, too")
    private @Nullable Path page;

    @Option(names = "--minutes", paramLabel = "N", description = "how long, 30 unless said otherwise")
    void minutes(long count) {
        if (count < 1) {
            throw new TypeConversionException(count + " minutes (expected: 1 or more)");
        }
        minutes = count;
    }

    @Option(names = "--hours", paramLabel = "N", description = "the same in hours")
    void hours(long count) {
        minutes(Math.multiplyExact(count, 60));
    }

    Duration length() {
        return Duration.ofMinutes(minutes);
    }

    /** The seed of the faults and of what every thread does; the interleaving of the threads is chance. */
    long seed() {
        return seed;
    }

    Optional<Path> page() {
        return Optional.ofNullable(page);
    }
}
