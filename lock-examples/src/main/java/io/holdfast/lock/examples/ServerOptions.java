package io.holdfast.lock.examples;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.examples.console.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /** The console, which from now on also shows what the library logs. */
    public Console console() {
        return screen.console();
    }

    /**
     * The server to work with.
     *
     * @throws ParameterException if no client takes its address
     */
    public ExampleServer open(Console console) {
        if (redis != null) {
            check(redis);
        }
        ExampleServer server = redis == null ? ExampleServer.start() : ExampleServer.at(redis);
        console.print("server: " + server);
        return server;
    }

    private void check(String url) {
        ClientOptions lazy = ClientOptions.builder().lazy(true).build();
        try {
            LockClient.connect(url, lazy).close();
        } catch (IllegalArgumentException malformed) {
            throw new ParameterException(command.commandLine(), "--redis: " + malformed.getMessage(), malformed);
        }
    }
}
