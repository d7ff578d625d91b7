package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How another command is run under a hold. */
final class RunOptions {

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "Wait so long at most, as in 0, 500 ms or 2 min. Without it: as long as it takes.")
    private @Nullable Duration wait;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description =
                    "How long the lock or permit stays taken after this process has died. It is renewed until then. Default: that of "
                            + "the client, 30 s.")
    private @Nullable Duration lease;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            description = "After a loss the command gets TERM, and so much later KILL. Default: 10 s.")
    private Duration grace = Duration.ofSeconds(10);

    @Option(names = "--status-file", paramLabel = "FILE", description = "Write to this file how it ended, for certain.")
    private @Nullable Path statusFile;

    @Option(names = "--quiet", description = "Say nothing on standard error but what is wrong with the command line.")
    private boolean quiet;

    @Option(
            names = "--exit-unreachable",
            paramLabel = "N",
            description = "The exit status if no server answers. Default: 69.")
    private int exitUnreachable = Exit.UNREACHABLE;

    @Option(names = "--exit-not-obtained", paramLabel = "N", description = "The same if the wait is over. Default: 75.")
    private int exitNotObtained = Exit.NOT_OBTAINED;

    @Option(names = "--exit-lost", paramLabel = "N", description = "The same if the lock was lost. Default: 76.")
    private int exitLost = Exit.LOST;

    Optional<Duration> waitTime() {
        return Optional.ofNullable(wait);
    }

    Optional<Duration> lease() {
        return Optional.ofNullable(lease);
    }

    Duration grace() {
        return grace;
    }

    Optional<Path> statusFile() {
        return Optional.ofNullable(statusFile);
    }

    boolean quiet() {
        return quiet;
    }

    int exitUnreachable() {
        return exitUnreachable;
    }

    int exitNotObtained() {
        return exitNotObtained;
    }

    int exitLost() {
        return exitLost;
    }
}
