package io.holdfast.cli;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while a lock is held. */
@Command(
        name = "lock",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Runs a command while it holds a lock.",
        customSynopsis = "holdfast lock [options] NAME -- command [arguments]",
        description = {
            "The lock is renewed while the command runs. The command finds its fencing token in HOLDFAST_TOKEN and the "
                    + "lock's name in HOLDFAST_LOCK; signals to this process are passed on to it.",
            "",
            "If the lock is lost, the command and its descendants get TERM, and KILL after --grace. If this process is "
                    + "killed or stopped the command runs on, and the lock is free when its lease is over: a resource "
                    + "that must not see two commands has to refuse the smaller token.",
            "",
            "Exit status: that of the command, unchanged. Of this process: 64 usage, 69 no server answers, 75 not "
                    + "obtained, 76 lost, 126 not executable, 127 not found. Each comes with a line on standard error, and "
                    + "--status-file tells them apart from the command's."
        })
final class LockCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--fair", description = "In the order in which processes came.")
    private boolean fair;

    @Option(names = "--shared", description = "As a reader: with other readers, without a writer.")
    private boolean shared;

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        if (fair && shared) {
            throw Holdfast.usage(command, "--fair and --shared (expected: one of them)");
        }
        return new Run(command, options, store, name).run(this::take, false);
    }

    private Optional<LockHold> take(LockClient client, LockOptions lockOptions) throws InterruptedException {
        RLock lock = lock(client, lockOptions);
        Duration wait = options.waitTime().orElse(Run.FOR_EVER);
        return wait.isZero() ? lock.tryAcquire() : lock.tryAcquire(wait);
    }

    private RLock lock(LockClient client, LockOptions lockOptions) {
        try {
            if (shared) {
                return client.getReadWriteLock(name, lockOptions).readLock();
            }
            return fair ? client.getFairLock(name, lockOptions) : client.getLock(name, lockOptions);
        } catch (IllegalArgumentException | UnsupportedOperationException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }
}
