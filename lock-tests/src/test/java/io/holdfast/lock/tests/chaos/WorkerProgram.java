package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.support.ClientThreads;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that plays loads, one after the other. It is told by lines on its input, and writes what it sees on its
 * output:
 *
 * <ul>
 *   <li>{@code open COUNTERS PLAN}: connects; answers {@code open done} or {@code open failed}
 *   <li>{@code start}: starts the lanes
 *   <li>{@code stop}: stops them; answers when all have ended
 *   <li>{@code shut}: closes the clients; answers how many of their threads are left
 *   <li>{@code clock}: answers the time of day in milliseconds
 * </ul>
 */
final class WorkerProgram {

    private static final long THREADS_GONE_NANOS = 3_000_000_000L;

    private final PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private @Nullable Counters counters;
    private @Nullable Load load;

    private WorkerProgram() {}

    public static void main(String[] arguments) throws Exception {
        WorkerProgram program = new WorkerProgram();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        program.say("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", 3);
            program.say(words[0] + " " + program.execute(words));
        }
        Runtime.getRuntime().halt(0);
    }

    private void say(String line) {
        synchronized (out) {
            out.println(line);
        }
    }

    private String execute(String[] words) throws InterruptedException {
        switch (words[0]) {
            case "open" -> {
                try {
                    counters = new Counters(words[1]);
                    load = new Load(LoadPlan.parse(words[2]), counters, seen -> say(SeenLine.write(seen)));
                    return "done";
                } catch (RuntimeException failure) {
                    return "failed " + failure;
                }
            }
            case "start" -> {
                if (load != null) {
                    load.start();
                }
                return "done";
            }
            case "stop" -> {
                if (load != null) {
                    load.stop();
                }
                return "done";
            }
            case "shut" -> {
                return shut();
            }
            case "clock" -> {
                return Long.toString(System.currentTimeMillis());
            }
            default -> throw new IllegalArgumentException("command: " + words[0]);
        }
    }

    private String shut() throws InterruptedException {
        if (load != null) {
            load.close();
        }
        if (counters != null) {
            counters.close();
        }
        load = null;
        counters = null;
        long startNanos = System.nanoTime();
        List<String> left = new ArrayList<>(ClientThreads.names());
        while (!left.isEmpty() && System.nanoTime() - startNanos < THREADS_GONE_NANOS) {
            Thread.sleep(10);
            left = new ArrayList<>(ClientThreads.names());
        }
        return left.size() + " " + left;
    }
}
