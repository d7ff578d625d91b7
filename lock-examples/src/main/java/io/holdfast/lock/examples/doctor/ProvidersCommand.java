package io.holdfast.lock.examples.doctor;

import io.holdfast.lock.examples.ScreenOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import io.holdfast.lock.testkit.provider.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Which kinds of locks work where providers refuse commands. */
@Command(
        name = "providers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Tries all kinds of locks behind what providers refuse, and prints a table.",
        description = {
            "Starts servers of its own. A proxy before each refuses what a provider refuses, in its words as far as its "
                    + "documents and its users tell them. No provider's own server is asked: 'doctor --try' tries yours.",
            "",
            "Exit code: 0."
        })
public final class ProvidersCommand implements Callable<Integer> {

    private static final int WIDTH = 79;
    /** More would starve each other on a small machine, and lose their locks. */
    private static final int AT_A_TIME = 3;

    @Mixin
    private ScreenOptions screen = new ScreenOptions();

    @Override
    public Integer call() throws Exception {
        Console console = screen.console();
        List<ProviderTrial.Row> rows = run(Providers.all());
        List<String> header = new ArrayList<>(List.of("provider", "connect"));
        for (TriedKind kind : TriedKind.values()) {
            header.add(kind.words());
        }
        header.add(ProviderTrial.QUORUM);
        Table table = new Table(header.toArray(String[]::new));
        for (ProviderTrial.Row row : rows) {
            List<String> cells = new ArrayList<>(List.of(row.profile().name(), row.connect()));
            cells.addAll(row.verdicts());
            while (cells.size() < header.size()) {
                cells.add("-");
            }
            table.row(cells.toArray());
        }
        console.print(table.lines());
        for (ProviderTrial.Row row : rows) {
            if (!row.words().isEmpty()) {
                console.print("", console.bold(row.profile().name()));
                Text.wrap(row.words(), WIDTH, 0).forEach(console::print);
            }
        }
        return 0;
    }

    /** Tries these, some at a time. */
    public static List<ProviderTrial.Row> run(List<ProviderProfile> profiles) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try (RedisServer server = RedisServer.start();
                RedisServer cluster =
                        RedisServer.builder().mode(ServerMode.CLUSTER).start();
                RedisServer second = RedisServer.start();
                RedisServer third = RedisServer.start()) {
            ProviderTrial trial = new ProviderTrial(server, cluster, List.of(server, second, third));
            List<Future<ProviderTrial.Row>> running = new ArrayList<>();
            profiles.forEach(profile -> running.add(threads.submit(() -> trial.run(profile))));
            List<ProviderTrial.Row> rows = new ArrayList<>();
            for (Future<ProviderTrial.Row> row : running) {
                rows.add(row.get());
            }
            return rows;
        } finally {
            threads.shutdownNow();
        }
    }
}
