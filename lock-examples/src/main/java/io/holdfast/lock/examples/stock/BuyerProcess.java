package io.holdfast.lock.examples.stock;

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

/** A process of buyers as its parent sees it: orders go in, answers come out, and what it logs is shown. */
final class BuyerProcess implements AutoCloseable {

    private static final String GONE = "gone";

    private final int number;
    private final Process process;
    private final Writer orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private BuyerProcess(int number, Process process, Console console) {
        this.number = number;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        read("answers", process.getInputStream(), answers::add, () -> answers.add(GONE));
        read("log", process.getErrorStream(), line -> console.log("process " + number, line), () -> {});
    }

    static BuyerProcess start(int number, String redis, int buyers, long clockSkewMillis, Console console) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("io.holdfast.lock.examples.HoldfastExamples");
        command.add(BuyerProcessCommand.NAME);
        command.addAll(List.of("--redis", redis));
        command.addAll(List.of("--buyers", String.valueOf(buyers)));
        command.addAll(List.of("--clock-skew", String.valueOf(clockSkewMillis)));
        try {
            return new BuyerProcess(number, new ProcessBuilder(command).start(), console);
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot start process " + number + ": " + command.get(0), refused);
        }
    }

    int number() {
        return number;
    }

    void order(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException("process " + number + " of the buyers takes no more orders", gone);
        }
    }

    /** The next answer. */
    String answer(long timeoutMillis) throws InterruptedException {
        String answer = answers.poll(timeoutMillis, TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new IllegalStateException(
                    "process " + number + " of the buyers did not answer within " + timeoutMillis + " ms");
        }
        if (answer.equals(GONE)) {
            throw new IllegalStateException("process " + number + " of the buyers ended; see its last lines above");
        }
        return answer;
    }

    /** Whether an answer is waiting. */
    boolean hasAnswer() {
        return !answers.isEmpty();
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
