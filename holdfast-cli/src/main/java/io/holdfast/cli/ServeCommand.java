package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.serve.Feed;
import io.holdfast.cli.serve.Site;
import io.holdfast.cli.text.Json;
import io.holdfast.lock.LockClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A page of locks for browsers. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Serves a page with a live table of locks. Read only.",
        description = {
            "While a browser has the page open, the locks are looked at every --interval while they change, and five times "
                    + "as seldom while they don't; never more than a tenth of the time.",
            "",
            "Ends with Ctrl-C. Exit status: 0; 1 if the port can't be had."
        })
final class ServeCommand implements Callable<Integer> {

    private static final Duration SHORTEST = Duration.ofMillis(200);

    @Option(names = "--port", paramLabel = "PORT", description = "Default: 8642. 0: any that is free.")
    private int port = 8642;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "The address to listen at, 127.0.0.1 by default. Others need --token-file.")
    private String bind = "127.0.0.1";

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "A name by which browsers may ask for this host, besides localhost and --bind.")
    private List<String> names = List.of();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with a word that browsers have to bring: open /?token=WORD once.")
    private @Nullable Path tokenFile;

    @Option(names = "--interval", paramLabel = "TIME", description = "The time between two looks. Default: 1 s.")
    private Duration interval = Duration.ofSeconds(1);

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        Holdfast.checkInterval(command, interval, SHORTEST);
        InetAddress address = address();
        String token = token();
        if (!address.isLoopbackAddress() && token.isEmpty()) {
            throw Holdfast.usage(
                    command,
                    "--bind: " + bind + " is seen by other hosts, and whoever reaches it would read all locks"
                            + " (expected: --token-file as well, or 127.0.0.1)");
        }
        try (LockClient client = store.connect();
                Feed feed = new Feed(new StoreLooks(client), interval.toMillis());
                Site site = Site.open(
                        new InetSocketAddress(address, port),
                        feed,
                        hosts(),
                        token,
                        name -> Json.of(Inspection.of(client, name).json()))) {
            System.out.println("http://" + bound() + ":" + site.port() + "/");
            Thread.currentThread().join();
            return Exit.OK;
        } catch (IOException taken) {
            System.err.println("holdfast serve: port " + port + " at " + bind + ": " + taken.getMessage());
            return Exit.NOTHING;
        }
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException unknown) {
            throw Holdfast.usage(command, "--bind: " + bind + " (expected: an address of this host)");
        }
    }

    /** The bound address as a URL and the Host header of a request have it. */
    private String bound() {
        return bind.contains(":") ? "[" + bind + "]" : bind;
    }

    private Set<String> hosts() {
        Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "[::1]", bound()));
        hosts.addAll(names);
        return hosts;
    }

    private String token() {
        if (tokenFile == null) {
            return "";
        }
        try {
            String token = Files.readString(tokenFile).strip();
            if (!token.matches("[A-Za-z0-9._~-]{16,}")) {
                throw Holdfast.usage(
                        command, "--token-file: " + tokenFile + " (expected: 16 or more of A-Z a-z 0-9 . _ ~ -)");
            }
            return token;
        } catch (IOException unreadable) {
            throw Holdfast.usage(command, "--token-file: " + tokenFile + " can't be read");
        }
    }
}
