package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.Json;
import io.holdfast.lock.LockClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** All that is known of one name. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Shows all that is known of one name: holders, queue, permits, latch, leader.",
        description = {
            "Takes no lock, and changes nothing.",
            "",
            "Exit status: 0 if there is anything of this name, 1 if the lock is free and there is nothing else."
        })
final class InspectCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The name of the lock, semaphore, latch or election.")
    private String name = "";

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private ScreenOptions shown = new ScreenOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        try (LockClient client = store.connect()) {
            Inspection inspection = inspect(client);
            if (shown.json()) {
                shown.screen().line(Json.of(inspection.json()));
            } else {
                inspection.print(shown.screen());
            }
            return inspection.isAnything() ? Exit.OK : Exit.NOTHING;
        }
    }

    private Inspection inspect(LockClient client) {
        try {
            return Inspection.of(client, name);
        } catch (IllegalArgumentException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }
}
