package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.harness.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * A row in a network of its own: this program once more, with servers and clients, in a network namespace whose loopback
 * is private. There packets can be dropped without anybody else noticing.
 */
final class OwnNetwork {

    private static final String INSIDE = "HOLDFAST_CHAOS_INSIDE";
    private static final String SKIPPED = "skipped ";
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private OwnNetwork() {}

    static boolean isInside() {
        return System.getenv(INSIDE) != null;
    }

    static void play(Row row, Manner manner, Journal journal) {
        List<String> launcher = launcher();
        AtomicReference<String> skipped = new AtomicReference<>("");
        try (ChildJvm child = ChildJvm.start(
                launcher,
                Map.of(INSIDE, "yes"),
                line -> takes(line, journal, skipped),
                OwnNetwork.class,
                Stream.concat(Stream.of(row.name()), manner.words().stream()).toArray(String[]::new))) {
            int code = child.awaitEnd(LONGEST);
            if (!skipped.get().isEmpty()) {
                throw new Skipped(skipped.get());
            }
            if (code != 0) {
                journal.see(new Seen.Problem("row", "the program inside ended with " + code));
            }
        } catch (IOException e) {
            throw new Skipped("a program can't be started in a network of its own: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static boolean takes(String line, Journal journal, AtomicReference<String> skipped) {
        if (line.startsWith(SKIPPED)) {
            skipped.set(line.substring(SKIPPED.length()));
        }
        if (!line.startsWith(SeenLine.BEGINNING)) {
            return false;
        }
        journal.see(SeenLine.read(line));
        return true;
    }

    /** With a namespace of its own for users, too, where that is needed to be allowed one. */
    private static List<String> launcher() {
        String said = "";
        for (List<String> way : List.of(List.of("unshare", "-n"), List.of("unshare", "-rn"))) {
            List<String> trial = new ArrayList<>(way);
            trial.addAll(List.of("sh", "-c", "ip link set lo up && iptables -w -L INPUT"));
            said = run(trial);
            if (said.isEmpty()) {
                return way;
            }
        }
        throw new Skipped("no network namespace with packet filter can be had here: " + said);
    }

    /** Runs a command; returns what it said if it failed, else nothing. */
    static String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : String.join(" ", command) + ": " + said.strip();
        } catch (IOException e) {
            return e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Plays a row inside; what is seen goes to the standard output. */
    public static void main(String[] arguments) {
        String problem = run(List.of("ip", "link", "set", "lo", "up"));
        if (!problem.isEmpty()) {
            throw new IllegalStateException(problem);
        }
        Row row = Matrix.row(arguments[0]);
        Journal journal = new Journal();
        journal.follow(seen -> {
            synchronized (System.out) {
                System.out.println(SeenLine.write(seen));
            }
        });
        try (Conductor conductor =
                new Conductor(Manner.parse(Arrays.asList(arguments).subList(1, arguments.length)))) {
            conductor.playHere(row, journal);
        } catch (Skipped reason) {
            System.out.println(SKIPPED + reason.getMessage());
        }
        System.exit(0);
    }
}
