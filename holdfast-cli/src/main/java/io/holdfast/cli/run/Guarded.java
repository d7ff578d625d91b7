package io.holdfast.cli.run;

import io.holdfast.cli.run.Signals.Received;
import io.holdfast.lock.LockHold;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command and the hold under which it runs. Signals go on to the command. When the hold is lost, the command and its
 * descendants get TERM, and those that are alive after the grace get KILL.
 */
public final class Guarded {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Duration grace;
    private final boolean terminal;
    private final Consumer<String> say;
    private final Thread caller = Thread.currentThread();

    private @Nullable Process running;
    private @Nullable Received received;
    private boolean connected;
    private boolean over;

    /**
     * A command to be.
     *
     * @param terminal whether standard input is a terminal, which sends Ctrl-C to the command by itself
     * @param say where lines for people go
     */
    public Guarded(Duration grace, boolean terminal, Consumer<String> say) {
        this.grace = grace;
        this.terminal = terminal;
        this.say = say;
    }

    /**
     * Takes the signals of this process from now on: before the command runs they interrupt the thread that made this object.
     *
     * @param unconnected what ends this process before {@link #connected}: connecting is not to be interrupted, and holds nothing
     */
    public void withSignals(Consumer<Received> unconnected) {
        Signals.handle(signal -> {
            if (isEnding(signal) && !isConnected()) {
                unconnected.accept(signal);
            } else {
                signalled(signal);
            }
        });
    }

    /** From now on there may be something to give back. */
    public synchronized void connected() {
        connected = true;
    }

    private synchronized boolean isConnected() {
        return connected;
    }

    /** The signal that is to end this process; null if none came. The command has got it, if it ran. */
    public synchronized @Nullable Received ended() {
        return received;
    }

    /** How a run ended: the command's status as shells have it, and whether the hold was lost before that. */
    public record Outcome(int status, boolean lost) {}

    /**
     * Runs a command to its end.
     *
     * @throws IOException if it can't be started
     * @throws InterruptedException if a signal came before it was
     */
    public Outcome run(LockHold hold, List<String> command, Map<String, String> variables)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(variables);
        Process process = start(builder);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        AtomicBoolean told = new AtomicBoolean();
        hold.onLost(loss -> {
            told.set(true);
            if (process.isAlive()) {
                say.accept("lost (" + loss.reason() + ": " + loss.detail() + "); the command gets TERM");
            }
            end(process);
            ended.complete(null);
        });
        // Not interruptible: a signal that comes now is passed on.
        int status = process.onExit().join().exitValue();
        boolean lost = told.get() || hold.lost().toCompletableFuture().isDone();
        if (lost) {
            // What the command has started may still be about to end.
            ended.join();
        }
        synchronized (this) {
            running = null;
            over = true;
        }
        return new Outcome(status, lost);
    }

    /** The command may run again, and signals end the wait for that. */
    public synchronized void again() {
        over = false;
    }

    private synchronized Process start(ProcessBuilder builder) throws IOException, InterruptedException {
        if (received != null) {
            throw new InterruptedException();
        }
        over = false;
        Process process = builder.start();
        running = process;
        return process;
    }

    private void end(Process process) {
        Set<ProcessHandle> all = new LinkedHashSet<>();
        all.add(process.toHandle());
        process.descendants().forEach(all::add);
        all.forEach(ProcessHandle::destroy);
        long deadlineNanos = System.nanoTime() + grace.toNanos();
        while (isAlive(all) && System.nanoTime() - deadlineNanos < 0) {
            // Those that began to run since are found while their parents live.
            List.copyOf(all).forEach(known -> known.descendants().forEach(all::add));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (isAlive(all)) {
            say.accept("the command has not ended within --grace, and gets KILL");
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static boolean isAlive(Set<ProcessHandle> all) {
        return all.stream().anyMatch(ProcessHandle::isAlive);
    }

    private void signalled(Received signal) {
        Process process;
        synchronized (this) {
            process = running;
            // A command that runs may take HUP for something else.
            if (process == null ? isEnding(signal) : List.of("INT", "TERM").contains(signal.name())) {
                received = signal;
            }
            if (process == null) {
                if (isEnding(signal) && !over) {
                    caller.interrupt();
                }
                return;
            }
        }
        pass(signal, process);
    }

    private static boolean isEnding(Received signal) {
        return List.of("INT", "TERM", "HUP").contains(signal.name());
    }

    private void pass(Received signal, Process process) {
        if (terminal && List.of("INT", "WINCH").contains(signal.name())) {
            return; // The terminal has sent it to the command as well.
        }
        if (signal.name().equals("TERM")) {
            process.destroy();
            return;
        }
        try {
            new ProcessBuilder("kill", "-" + signal.name(), String.valueOf(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noKill) {
            if (isEnding(signal)) {
                say.accept("there is no command 'kill' to pass " + signal.name() + " on; the command gets TERM");
                process.destroy();
            }
        }
    }
}
