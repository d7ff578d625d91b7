package io.holdfast.lock.examples;

import io.holdfast.lock.examples.console.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the commands that work with one server: which one, and how to print. */
public final class ServerOptions {

    @Option(
            names = "--redis",
            paramLabel = "URL",
            description = "Use this server: redis://[user][:password]@host[:port][/database]. "
                    + "Without it, one is started and stopped.")
    private @Nullable String redis;

    @Mixin
    private ScreenOptions screen = new ScreenOptions();

    /** The console, which from now on also shows what the library logs. */
    public Console console() {
        return screen.console();
    }

    /** The server to work with. */
    public ExampleServer open(Console console) {
        ExampleServer server = redis == null ? ExampleServer.start() : ExampleServer.at(redis);
        console.print("server: " + server);
        return server;
    }
}
