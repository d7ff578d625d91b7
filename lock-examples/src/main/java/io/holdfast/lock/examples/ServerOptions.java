package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every command has: which server, and how to print. */
public final class ServerOptions {

    @Option(
            names = "--redis",
            paramLabel = "URL",
            description = "Use this server: redis://[user][:password]@host[:port][/database]. "
                    + "Without it, one is started and stopped.")
    private @Nullable String redis;

    @Option(names = "--plain", description = "Print plain lines, as if standard output were no terminal.")
    private boolean plain;

    /** The console, which from now on also shows what the library logs. */
    public Console console() {
        Console console = Console.ofProcess(plain);
        System.setErr(console.asLog());
        return console;
    }

    /** The server to work with. */
    public ExampleServer open(Console console) {
        ExampleServer server = redis == null ? ExampleServer.start() : ExampleServer.at(redis);
        console.print("server: " + server);
        return server;
    }
}
