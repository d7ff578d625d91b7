package io.holdfast.lock.tests.harness;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A program in a JVM of its own, which can be stopped as a whole: SIGSTOP is what a long garbage collection, a swapping
 * machine or a suspended container look like from inside. It is spoken to by lines on its standard streams, and is
 * expected to end when its input does.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A child that is stopped would not notice that nobody speaks to it any more. */
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final Process process;
    private final Predicate<String> taker;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(Process process, Predicate<String> taker) {
        this.process = process;
        this.taker = taker;
        RUNNING.add(process);
        Thread reader = new Thread(this::read, "child-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a program on this JVM's class path. */
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), Map.of(), line -> false, main, arguments);
    }

    /**
     * Starts a program in surroundings of its own.
     *
     * @param launcher what comes before the command, such as {@code unshare -n}
     * @param environment what its environment has beside this JVM's
     * @param taker sees every line first; what it takes, nobody hears
     */
    public static ChildJvm start(
            List<String> launcher,
            Map<String, String> environment,
            Predicate<String> taker,
            Class<?> main,
            String... arguments)
            throws IOException {
        return start(launcher, System.getProperty("java.class.path"), environment, taker, main, arguments);
    }

    private static ChildJvm start(
            List<String> launcher,
            String classPath,
            Map<String, String> environment,
            Predicate<String> taker,
            Class<?> main,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new ChildJvm(builder.start(), taker);
    }

    /** Starts a program on a class path of its own. */
    public static ChildJvm startOn(String classPath, Class<?> main, String... arguments) throws IOException {
        return start(List.of(), classPath, Map.of(), line -> false, main, arguments);
    }

    /** Sends a line. */
    public void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a line that begins so and returns the rest of it; other lines are passed over. */
    public String hear(String beginning) throws InterruptedException {
        List<String> others = new ArrayList<>();
        while (true) {
            String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("the child has not said '" + beginning + "', but: " + others);
            }
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length()).trim();
            }
            others.add(line);
        }
    }

    /** Sends a line and returns what is answered: the rest of a line that begins with the same word. */
    public String ask(String line) throws InterruptedException {
        say(line);
        return hear(line.split(" ", 2)[0]);
    }

    /** Stops the whole JVM, all its threads at once; they stand still when this returns, where {@code /proc} tells. */
    public void pause() throws Exception {
        signal("STOP");
        await().pollInterval(Duration.ofMillis(1)).until(this::standsStill);
    }

    private boolean standsStill() throws IOException {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        if (!Files.exists(threads)) {
            return true;
        }
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(thread -> isStopped(thread.resolve("stat")));
        }
    }

    /** A thread's state stands behind its name, which is in parentheses. */
    private static boolean isStopped(Path stat) {
        try {
            String text = Files.readString(stat);
            return text.startsWith("T", text.lastIndexOf(')') + 2);
        } catch (IOException hasEnded) {
            return true;
        }
    }

    public void resume() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IllegalStateException("kill -" + name + " " + process.pid() + " failed");
        }
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!taker.test(line)) {
                    lines.add(line);
                }
            }
        } catch (IOException ended) {
            lines.add("the child's output ended: " + ended);
        }
    }

    /** Waits for the program's end; returns its exit code. */
    public int awaitEnd(Duration longest) throws InterruptedException {
        if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the child still runs after " + longest + ", and has said: " + lines);
        }
        return process.exitValue();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process, also a stopped one; it sends nothing any more when this returns. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        RUNNING.remove(process);
    }
}
