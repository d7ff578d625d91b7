package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import picocli.CommandLine.Option;

/** The option that every command has: how to print. */
public final class ScreenOptions {

    @Option(names = "--plain", description = "Print plain lines, as if standard output were no terminal.")
    private boolean plain;

    /** The console, which from now on also shows what the library logs. */
    public Console console() {
        Console console = Console.ofProcess(plain);
        System.setErr(console.asLog());
        return console;
    }
}
