package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import java.util.ArrayList;
import java.util.List;

/** The processes that a command has started. They end with it, also if it is interrupted. */
public final class ChildProcesses implements AutoCloseable {

    private final Console console;
    private final List<ChildProcess> started = new ArrayList<>();
    private final Thread endAll = new Thread(this::endAll, "end-processes");

    public ChildProcesses(Console console) {
        this.console = console;
        Runtime.getRuntime().addShutdownHook(endAll);
    }

    /** Starts one more; they are numbered from 1. */
    public void add(List<String> command) {
        synchronized (started) {
            started.add(ChildProcess.start(started.size() + 1, command, console));
        }
    }

    public List<ChildProcess> all() {
        synchronized (started) {
            return List.copyOf(started);
        }
    }

    private void endAll() {
        all().forEach(ChildProcess::close);
    }

    @Override
    public void close() {
        endAll();
        Runtime.getRuntime().removeShutdownHook(endAll);
    }
}
