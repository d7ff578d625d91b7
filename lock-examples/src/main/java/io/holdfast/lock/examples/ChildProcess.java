package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process as the command that started it sees it: orders go in, answers come out, and what it logs is shown. */
public final class ChildProcess implements AutoCloseable {

    private static final String GONE = "gone";

    private final int number;
    private final Process process;
    private final Writer orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private ChildProcess(int number, Process process, Console console) {
        this.number = number;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        read("answers", process.getInputStream(), answers::add, () -> answers.add(GONE));
        read("log", process.getErrorStream(), line -> console.log("process " + number, line), () -> {});
    }

    /**
     * Starts one.
     *
     * @param command a command of the examples with its options; it ends when its standard input does
     */
    public static ChildProcess start(int number, List<String> command, Console console) {
        List<String> line = new ArrayList<>();
        line.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        if (Runtime.version().feature() >= 22) {
            line.add("--enable-native-access=ALL-UNNAMED");
        }
        line.addAll(List.of("-cp", System.getProperty("java.class.path")));
        line.add("io.holdfast.lock.examples.HoldfastExamples");
        line.addAll(command);
        try {
            return new ChildProcess(number, new ProcessBuilder(line).start(), console);
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot start process " + number + ": " + line.get(0), refused);
        }
    }

    public int number() {
        return number;
    }

    public void order(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException("process " + number + " takes no more orders", gone);
        }
    }

    /** The next answer. */
    public String answer(long timeoutMillis) throws InterruptedException {
        String answer = answers.poll(timeoutMillis, TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new IllegalStateException("process " + number + " did not answer within " + timeoutMillis + " ms");
        }
        if (answer.equals(GONE)) {
            throw new IllegalStateException("process " + number + " ended; see its last lines above");
        }
        return answer;
    }

    /** Whether an answer is waiting. */
    public boolean hasAnswer() {
        return !answers.isEmpty();
    }

    /** Freezes it for a while, and returns at once. */
    public void freeze(long millis) {
        try {
            Freezer.start(process.pid(), millis);
        } catch (IOException noShell) {
            throw new UncheckedIOException("process " + number + " can't be frozen: there is no shell", noShell);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void read(String what, InputStream in, Consumer<String> to, Runnable atEnd) {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                        lines.lines().forEach(to);
                    } catch (IOException | UncheckedIOException closed) {
                        to.accept("its " + what + " broke off: " + closed.getMessage());
                    } finally {
                        atEnd.run();
                    }
                },
                "process-" + number + "-" + what);
        reader.setDaemon(true);
        reader.start();
    }
}
