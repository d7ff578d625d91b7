package io.holdfast.lock.tests.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to soak.
 *
 * @param length for how long
 * @param seed of the faults and of what every thread does; the interleaving of the threads is chance
 * @param page where to write the result as Markdown
 */
record SoakOptions(Duration length, long seed, Optional<Path> page) {

    static final String HELP =
            """
            usage: lock-tests/soak [--minutes N | --hours N] [--seed N] [--page FILE]

              --minutes N   how long, 30 unless said otherwise
              --hours N     the same in hours
              --seed N      repeats the faults and the operations of an earlier run; by default a new one is taken
              --page FILE   writes the result as Markdown there, too
            """;

    private static final Duration DEFAULT_LENGTH = Duration.ofMinutes(30);

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException if they are not as the help says
     */
    static SoakOptions parse(String... arguments) {
        SoakOptions options = new SoakOptions(DEFAULT_LENGTH, System.currentTimeMillis(), Optional.empty());
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i];
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(name + ": no value\n" + HELP);
            }
            options = options.with(name, arguments[i + 1]);
        }
        return options;
    }

    private SoakOptions with(String name, String value) {
        return switch (name) {
            case "--minutes" -> new SoakOptions(length(name, value, 60), seed, page);
            case "--hours" -> new SoakOptions(length(name, value, 3_600), seed, page);
            case "--seed" -> new SoakOptions(length, number(name, value), page);
            case "--page" -> new SoakOptions(length, seed, Optional.of(Path.of(value)));
            default -> throw new IllegalArgumentException("unknown option " + name + "\n" + HELP);
        };
    }

    private static Duration length(String name, String value, long unitSeconds) {
        long count = number(name, value);
        if (count < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 or more)");
        }
        return Duration.ofSeconds(Math.multiplyExact(count, unitSeconds));
    }

    private static long number(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException(name + ": '" + value + "' (expected: a whole number)", none);
        }
    }
}
