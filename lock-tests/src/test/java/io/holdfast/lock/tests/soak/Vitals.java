package io.holdfast.lock.tests.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a JVM uses, as it sees itself after it has collected its garbage.
 *
 * @param heapBytes what is reachable
 * @param descriptors open files and sockets; 0 where the system has no list of them
 * @param threads all threads
 */
record Vitals(long heapBytes, long descriptors, long threads) {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int COLLECTIONS = 2;

    /** Takes the JVM's own. */
    static Vitals take() throws IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return new Vitals(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                descriptorsOpen(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static long descriptorsOpen() throws IOException {
        if (!Files.exists(DESCRIPTORS)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.count();
        }
    }

    String line() {
        return heapBytes + " " + descriptors + " " + threads;
    }

    static Vitals parse(String line) {
        String[] words = line.split(" ");
        return new Vitals(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
}
