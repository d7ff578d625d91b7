package io.holdfast.cli;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RPermitExpirableSemaphore;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while a permit is held. */
@Command(
        name = "semaphore",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Runs a command while it holds one of several permits.",
        customSynopsis = "holdfast semaphore [options] NAME --limit N -- command [arguments]",
        description = {
            "At most --limit commands run under one name at a time. The first to come sets the limit; a later one with "
                    + "another limit is refused. All else is as with 'holdfast lock', the exit status too."
        })
final class SemaphoreCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The semaphore.")
    private String name = "";

    @Option(names = "--limit", required = true, paramLabel = "N", description = "How many commands may run.")
    private int limit;

    @Option(names = "--set-limit", description = "Change a limit that is another.")
    private boolean set;

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        if (limit < 1) {
            throw Holdfast.usage(command, "--limit: " + limit + " (expected: 1 or more)");
        }
        return new Run(command, options, store, name).run(this::take, false);
    }

    private Optional<LockHold> take(LockClient client, LockOptions lockOptions) throws InterruptedException {
        RPermitExpirableSemaphore semaphore = semaphore(client, lockOptions);
        if (!semaphore.trySetPermits(limit) && semaphore.getPermits() != limit) {
            if (!set) {
                throw Holdfast.usage(
                        command,
                        "--limit: " + limit + ", but it is " + semaphore.getPermits()
                                + " (expected: the same, or --set-limit)");
            }
            semaphore.setPermits(limit);
        }
        return semaphore.tryAcquireHold(options.waitTime().orElse(Run.FOR_EVER));
    }

    private RPermitExpirableSemaphore semaphore(LockClient client, LockOptions lockOptions) {
        try {
            return client.getPermitExpirableSemaphore(name, lockOptions);
        } catch (IllegalArgumentException | UnsupportedOperationException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }
}
