package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;

/** Lines that begin with the time since the start. */
final class Timeline {

    private final Console console;
    private final long startNanos = System.nanoTime();

    Timeline(Console console) {
        this.console = console;
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    void say(String text) {
        console.print(String.format("  %7s  %s", Text.seconds(elapsedNanos()), text));
    }
}
