package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** The file to which a server appends its writes: one up to Redis 6.2, the last increment since 7.0. */
record AppendOnlyFile(Path path) {

    /** The file in a server's directory; an IllegalStateException when the server wrote none. */
    static AppendOnlyFile in(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".aof"))
                    .filter(file -> !file.toString().endsWith(".base.aof"))
                    .max(Comparator.comparing(AppendOnlyFile::number))
                    .map(AppendOnlyFile::new)
                    .orElseThrow(() -> new IllegalStateException(
                            "no append-only file in " + directory + ": start the server with aof(true)"));
        } catch (IOException e) {
            throw new UncheckedIOException("can't look for the append-only file in " + directory, e);
        }
    }

    long size() {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw new UncheckedIOException("can't look at " + path, e);
        }
    }

    void cut(int bytes) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            if (bytes < 1 || bytes > file.size()) {
                throw new IllegalArgumentException(
                        "bytes: " + bytes + " (expected: 1 to " + file.size() + ", the size of " + path + ")");
            }
            file.truncate(file.size() - bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("can't cut " + path, e);
        }
    }

    /** The number in {@code appendonly.aof.12.incr.aof}; 0 for a plain {@code appendonly.aof}. */
    private static int number(Path file) {
        String digits = file.getFileName().toString().replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }
}
