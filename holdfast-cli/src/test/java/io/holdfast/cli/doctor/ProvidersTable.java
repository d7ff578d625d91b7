package io.holdfast.cli.doctor;

import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import io.holdfast.lock.testkit.provider.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A table of all providers whose refusals are known, and of the kinds of locks that work behind them. */
final class ProvidersTable {

    private static final int WIDTH = 79;
    private static final int PROVIDER_WIDTH = 32;
    private static final int CELL_WIDTH = 7;
    /** More would starve each other on a small machine, and lose their locks. */
    private static final int AT_A_TIME = 3;

    private ProvidersTable() {}

    public static void main(String[] none) throws Exception {
        Screen screen = new Screen(System.out, System.err, WIDTH, false, false);
        List<ProviderTrial.Row> rows = run(Providers.all());
        List<String> header = List.of("plain", "fair", "rw", "permits", "latch", ProviderTrial.QUORUM);
        screen.line(Cells.fit("provider", PROVIDER_WIDTH) + " " + cells(header));
        for (ProviderTrial.Row row : rows) {
            String verdicts = row.verdicts().isEmpty() ? row.connect() : cells(row.verdicts());
            screen.line(Cells.fit(row.profile().name(), PROVIDER_WIDTH) + " " + verdicts);
        }
        for (ProviderTrial.Row row : rows) {
            if (!row.words().isEmpty()) {
                screen.line("");
                screen.line(row.profile().name() + ", " + row.connect() + ":");
                Cells.wrap(row.words(), WIDTH).forEach(screen::line);
            }
        }
        System.exit(0);
    }

    private static String cells(List<String> texts) {
        StringBuilder line = new StringBuilder();
        for (String text : texts) {
            line.append(Cells.fit(text.equals("SCRIPT_REFUSED") ? "refused" : text, CELL_WIDTH))
                    .append(' ');
        }
        return line.toString().stripTrailing();
    }

    /** Tries these, some at a time. */
    static List<ProviderTrial.Row> run(List<ProviderProfile> profiles) throws Exception {
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
