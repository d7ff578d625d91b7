package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.Json;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What happens to some locks. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Tells what happens to locks: taken, released, expired, handed on, waited for.",
        description = {
            "Looks at each lock again and again, every --interval, and prints a line for each change between two looks. "
                    + "What begins and ends between two looks is not seen.",
            "",
            "'expired' is said of a holder whose lease would have run out since the last look, 'released' of any other "
                    + "that is gone: it gave the lock back, was freed by force, or its keys were deleted.",
            "",
            "Ends with Ctrl-C, or after --count lines. Exit status: 0."
        })
final class WatchCommand implements Callable<Integer> {

    private static final Duration SHORTEST = Duration.ofMillis(50);

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "The locks.")
    private List<String> names = List.of();

    @Option(names = "--interval", paramLabel = "TIME", description = "The time between two looks. Default: 500 ms.")
    private Duration interval = Duration.ofMillis(500);

    @Option(names = "--count", paramLabel = "N", description = "End after so many lines.")
    private long count = Long.MAX_VALUE;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private ScreenOptions shown = new ScreenOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        Holdfast.checkInterval(command, interval, SHORTEST);
        Screen screen = shown.screen();
        Map<String, LockChanges> changes = new LinkedHashMap<>();
        names.forEach(name -> changes.put(name, new LockChanges(name)));
        long printed = 0;
        try (LockClient client = store.connect()) {
            while (true) {
                for (LockChanges lock : changes.values()) {
                    for (LockChanges.Change change : lock.look(client.inspect(lock.name()), System.nanoTime())) {
                        print(change, screen);
                        if (++printed >= count) {
                            return Exit.OK;
                        }
                    }
                }
                Thread.sleep(interval.toMillis());
            }
        } catch (IllegalArgumentException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }

    private void print(LockChanges.Change change, Screen screen) {
        if (shown.json()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("at", Instant.now());
            json.put("name", change.name());
            json.put("event", change.event());
            json.put("holder", change.who());
            json.put("token", change.token());
            json.put("waiters", change.waiters());
            screen.line(Json.of(json));
        } else {
            String at = LocalTime.now(ZoneId.systemDefault())
                    .truncatedTo(ChronoUnit.MILLIS)
                    .toString();
            String token =
                    change.token().isPresent() ? ", token " + change.token().getAsLong() : "";
            screen.line(screen.dim((at + ".000000").substring(0, "00:00:00.000".length())) + " "
                    + Printable.of(change.name()) + " " + screen.bold(change.event())
                    + change.who().map(who -> " " + who).orElse("") + token
                    + (change.waiters() > 0 ? ", " + change.waiters() + " waiting" : ""));
        }
    }
}
