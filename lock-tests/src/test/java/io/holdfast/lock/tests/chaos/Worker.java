package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.harness.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A process that plays loads, seen from the one that tells it to. */
final class Worker implements AutoCloseable {

    private static final Seen.Sink NOBODY = seen -> {};

    private final ChildJvm jvm;
    private volatile Seen.Sink sink = NOBODY;

    Worker(Map<String, String> environment) throws IOException, InterruptedException {
        jvm = ChildJvm.start(List.of(), environment, this::takes, WorkerProgram.class);
        jvm.hear("ready");
    }

    private boolean takes(String line) {
        if (!line.startsWith(SeenLine.BEGINNING)) {
            return false;
        }
        sink.see(SeenLine.read(line));
        return true;
    }

    void open(String counters, LoadPlan plan, Seen.Sink to) throws InterruptedException {
        sink = to;
        String answer = jvm.ask("open " + counters + " " + plan.line());
        if (!answer.equals("done")) {
            throw new IllegalStateException(plan.lane() + " could not connect: " + answer);
        }
    }

    void start() throws InterruptedException {
        jvm.ask("start");
    }

    /** Ends the lanes, and waits until they have ended. */
    void stop() throws InterruptedException {
        jvm.ask("stop");
    }

    /** Closes the clients; threads that are left are a problem. */
    void shut() throws InterruptedException {
        String left = jvm.ask("shut");
        if (!left.startsWith("0 ")) {
            sink.see(new Seen.Problem("LV", "threads left after close: " + left));
        }
        sink = NOBODY;
    }

    long clockMillis() throws InterruptedException {
        return Long.parseLong(jvm.ask("clock"));
    }

    /** Stops the whole process, all its threads at once. */
    void pause() throws Exception {
        jvm.pause();
    }

    void resume() throws Exception {
        jvm.resume();
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
