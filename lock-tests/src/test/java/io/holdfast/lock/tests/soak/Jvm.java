package io.holdfast.lock.tests.soak;

import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.soak.Tally.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One of the JVMs that soak, as the one that looks after them sees it. */
final class Jvm implements AutoCloseable {

    final String name;
    final Flatness heap;
    final Flatness descriptors;

    /** Held by a fault until it is over. */
    final ReentrantLock fault = new ReentrantLock();

    /** Complete when the JVM has said so; with what it said. */
    final CompletableFuture<String> ready = new CompletableFuture<>();

    final CompletableFuture<String> stopped = new CompletableFuture<>();

    final CompletableFuture<String> closed = new CompletableFuture<>();

    private final ChildJvm child;
    private final Invariants invariants;
    private volatile Map<End, Long> tally = new EnumMap<>(End.class);
    private volatile @Nullable Vitals vitals;

    Jvm(String name, long seed, List<String> urls, Invariants invariants) throws IOException {
        this.name = name;
        this.invariants = invariants;
        this.heap = Flatness.ofHeap(name);
        this.descriptors = Flatness.ofDescriptors(name);
        List<String> arguments = new ArrayList<>(List.of(name, Long.toString(seed)));
        arguments.addAll(urls);
        this.child = ChildJvm.start(SoakProgram.class, arguments.toArray(String[]::new));
        Thread ears = new Thread(this::listen, "soak-ears-" + name);
        ears.setDaemon(true);
        ears.start();
    }

    private void listen() {
        try {
            while (!closed.isDone()) {
                hear(child.hear(""));
            }
        } catch (AssertionError silent) {
            invariants.violation(
                    name + ": has said nothing for so long that it must have died: " + silent.getMessage());
            ready.completeExceptionally(silent);
            stopped.completeExceptionally(silent);
            closed.completeExceptionally(silent);
        } catch (InterruptedException nobody) {
            throw new IllegalStateException(nobody);
        }
    }

    private void hear(String line) {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        String rest = space < 0 ? "" : line.substring(space + 1);
        switch (word) {
            case "claim" -> invariants.accept(Claim.parse(rest));
            case "tally" -> tally = Tally.parse(rest);
            case "vitals" -> hear(Vitals.parse(rest));
            case "ready" -> ready.complete(rest);
            case "stopped" -> stopped.complete(rest);
            case "closed" -> closed.complete(rest);
            // All else is an error, told on purpose or by a logger.
            default -> invariants.violation(name + ": " + line);
        }
    }

    private void hear(Vitals present) {
        vitals = present;
        heap.add(present.heapBytes());
        descriptors.add(present.descriptors());
    }

    long count(End end) {
        return tally.getOrDefault(end, 0L);
    }

    /** The latest; null before the first. */
    @Nullable
    Vitals vitals() {
        return vitals;
    }

    void say(String line) {
        try {
            child.say(line);
        } catch (UncheckedIOException dead) {
            invariants.violation(name + ": has died");
            closed.completeExceptionally(dead);
        }
    }

    /** Whether it has died, or has said nothing for so long that it must have. */
    boolean isDead() {
        return closed.isCompletedExceptionally();
    }

    void pause() throws Exception {
        child.pause();
    }

    void resume() throws Exception {
        child.resume();
    }

    @Override
    public void close() {
        child.close();
    }
}
