package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;

/** Lines that begin with the time since the start. */
public final class Timeline {

    private static final int WIDTH = 79;
    private static final int INDENT = 11;

    private final Console console;
    private final long startNanos = System.nanoTime();

    public Timeline(Console console) {
        this.console = console;
    }

    public long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    public void say(String text) {
        String line = String.format("  %7s  %s", Text.seconds(elapsedNanos()), text);
        console.print(console.isLive() ? Text.wrap(line, WIDTH, INDENT).toArray(String[]::new) : new String[] {line});
    }
}
