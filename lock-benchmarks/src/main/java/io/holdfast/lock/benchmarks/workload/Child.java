package io.holdfast.lock.benchmarks.workload;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another JVM with this one's class path, talked to line by line. It is killed when this one ends in an orderly way or
 * by a signal; should this one be killed, it reads the end of its input and goes.
 */
final class Child implements AutoCloseable {

    /** Where the log goes. */
    private static final String LOG = "holdfast.benchmarks.log";

    private static final int FIRST_TO_WARN_OF_NATIVE_CODE = 24;

    private final Process process;
    private final BufferedReader said;
    private final BufferedWriter orders;
    private final Thread onExit;
    private final long startNanos = System.nanoTime();

    /**
     * @param options of the JVM, beside what every child has
     */
    Child(List<String> options, Class<?> program, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-D" + LOG + "=" + System.getProperty(LOG, "target/benchmarks.log"),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        if (Runtime.version().feature() >= FIRST_TO_WARN_OF_NATIVE_CODE) {
            words.add(1, "--enable-native-access=ALL-UNNAMED");
        }
        words.addAll(1, options);
        words.addAll(arguments);
        try {
            process = new ProcessBuilder(words)
                    .directory(new File("").getAbsoluteFile())
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException unable) {
            throw new UncheckedIOException("can't start " + program, unable);
        }
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        onExit = new Thread(process::destroyForcibly, "end-child");
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Just before the process was started. */
    long startNanos() {
        return startNanos;
    }

    void tell(String line) {
        try {
            orders.write(line);
            orders.newLine();
            orders.flush();
        } catch (IOException ended) {
            throw new UncheckedIOException("a child process ended early", ended);
        }
    }

    /** The rest of the next line that begins with a word; other lines, such as logged ones, are passed over. */
    String await(String word) {
        try {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.startsWith(word + " ")) {
                    return line.substring(word.length() + 1);
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("can't read from a child process", broken);
        }
        throw new IllegalStateException("a child process ended without saying '" + word + "'");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException shuttingDown) {
            onExit.setName("end-child, already ending");
        }
    }
}
