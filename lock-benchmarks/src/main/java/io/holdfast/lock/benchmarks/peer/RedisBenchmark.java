package io.holdfast.lock.benchmarks.peer;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The server's own load generator, if it is on the {@code PATH}. It sends one command over and over, with random numbers
 * in it, so the two scripts are run one after the other: first acquires of locks that are nearly all free, then releases
 * of locks that are nearly all held. A lock and unlock takes the sum of the two.
 */
public final class RedisBenchmark {

    private static final int PIPELINE = 64;
    /** About what a server can do; only used to make a turn last as long as it should. */
    private static final int EXPECTED_PER_SECOND = 150_000;
    /** It has nothing to warm up, and what it leaves behind grows with the time it is given. */
    private static final long MOST_MILLIS = 1_000;
    /** So many more locks are held than are released, so that few are released twice. */
    private static final int HELD_PER_RELEASE = 5;

    private static final String FIELD = "00000000-0000-0000-0000-000000000000:1:1";
    private static final String RANDOM = "redis-benchmark:{__rand_int__}";

    private final URI server;
    private final int connections;

    /**
     * @param inFlight how many script calls may be under way
     */
    public RedisBenchmark(URI server, int inFlight) {
        this.server = server;
        this.connections = Math.max(1, inFlight / PIPELINE);
    }

    /** Whether there is one. */
    public static boolean isPresent() {
        return executable().isPresent();
    }

    private static Optional<File> executable() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Arrays.stream(path.split(File.pathSeparator))
                .map(directory -> new File(directory, "redis-benchmark"))
                .filter(File::canExecute)
                .findFirst();
    }

    /**
     * Runs for about so long, if it is not too long, and tells how many locks could be taken and released per second.
     * Most of them are still held in the end.
     */
    public double operationsPerSecond(long millis) {
        int requests = (int) Math.max(1_000, EXPECTED_PER_SECOND * Math.min(millis, MOST_MILLIS) / 2_000);
        String acquire = LockScripts.load(server, "acquire");
        String release = LockScripts.load(server, "release");
        double acquires = run(
                requests,
                1_000_000_000,
                List.of("EVALSHA", acquire, "2", RANDOM, "redis-benchmark:token", FIELD, NaiveLock.LEASE, "1"));
        int held = requests * HELD_PER_RELEASE;
        hold(held);
        double releases = run(requests, held, List.of("EVALSHA", release, "1", RANDOM, FIELD, "0", RANDOM + ":free"));
        return 1 / (1 / acquires + 1 / releases);
    }

    /** Fills the range that the releases pick from. */
    private void hold(int locks) {
        byte[] acquire = Wire.ascii(LockScripts.load(server, "acquire"));
        int batch = 500;
        try (Wire wire = new Wire(server)) {
            for (int first = 0; first < locks; first += batch) {
                int end = Math.min(first + batch, locks);
                for (int i = first; i < end; i++) {
                    wire.append(
                            Wire.ascii("EVALSHA"),
                            acquire,
                            Wire.ascii("2"),
                            Wire.ascii(RANDOM.replace("__rand_int__", String.format("%012d", i))),
                            Wire.ascii("redis-benchmark:token"),
                            Wire.ascii(FIELD),
                            Wire.ascii(NaiveLock.LEASE),
                            Wire.ascii("1"));
                }
                wire.flush();
                for (int i = first; i < end; i++) {
                    wire.firstOfList();
                }
            }
        }
    }

    private double run(int requests, int range, List<String> command) {
        File executable = executable().orElseThrow(() -> new IllegalStateException("no redis-benchmark on the PATH"));
        List<String> words = new ArrayList<>(List.of(
                executable.getPath(),
                "-h",
                server.getHost(),
                "-p",
                String.valueOf(server.getPort()),
                "-c",
                String.valueOf(connections),
                "-P",
                String.valueOf(PIPELINE),
                "-n",
                String.valueOf(requests),
                "-r",
                String.valueOf(range),
                "--csv"));
        words.addAll(command);
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(executable + " failed: " + said);
            }
            return perSecond(said);
        } catch (IOException unable) {
            throw new UncheckedIOException("can't run " + executable, unable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + executable + " ran", interrupted);
        }
    }

    /** The last line is {@code "the command","requests per second",...}. */
    private static double perSecond(String csv) {
        String line = csv.strip().lines().reduce((one, other) -> other).orElse("");
        String[] fields = line.split("\",\"", -1);
        if (fields.length < 2) {
            throw new IllegalStateException("redis-benchmark said: " + csv);
        }
        return Double.parseDouble(fields[1].replace("\"", ""));
    }
}
