package io.holdfast.lock.examples.barrier;

import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.console.Console;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One worker as the command sees it: its process, and when it has said what. */
final class Worker implements AutoCloseable {

    private static final long ANSWER_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final long NOT_YET = -1;

    private final ChildProcess process;
    private final long workMillis;
    private long startNanos;
    private long countedNanos = NOT_YET;
    private long onNanos = NOT_YET;
    private boolean killed;

    private Worker(ChildProcess process, long workMillis) {
        this.process = process;
        this.workMillis = workMillis;
    }

    static Worker start(int number, String redis, String latch, long workMillis, Console console) {
        List<String> command = List.of(
                BarrierWorkerCommand.NAME, "--redis", redis, "--latch", latch, "--work", Long.toString(workMillis));
        return new Worker(ChildProcess.start(number, command, console), workMillis);
    }

    int number() {
        return process.number();
    }

    long workMillis() {
        return workMillis;
    }

    void awaitReady() throws InterruptedException {
        process.answer(ANSWER_MILLIS);
    }

    void go(long nowNanos) {
        startNanos = nowNanos;
        process.order("go");
    }

    /** Hears what it has said since. */
    void listen(long nowNanos) throws InterruptedException {
        while (!killed && process.hasAnswer()) {
            if (process.answer(ANSWER_MILLIS).equals("counted")) {
                countedNanos = nowNanos;
            } else {
                onNanos = nowNanos;
                return;
            }
        }
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() {
        killed = true;
        process.close();
    }

    boolean isKilled() {
        return killed;
    }

    boolean hasCounted() {
        return countedNanos != NOT_YET;
    }

    boolean isOn() {
        return onNanos != NOT_YET;
    }

    boolean isHalfDone(long nowNanos) {
        return nowNanos - startNanos >= TimeUnit.MILLISECONDS.toNanos(workMillis) / 2;
    }

    long countedNanos() {
        return countedNanos;
    }

    long onNanos() {
        return onNanos;
    }

    @Override
    public void close() {
        process.close();
    }
}
