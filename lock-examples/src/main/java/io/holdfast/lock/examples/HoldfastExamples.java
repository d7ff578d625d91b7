package io.holdfast.lock.examples;

import io.holdfast.lock.examples.barrier.BarrierCommand;
import io.holdfast.lock.examples.barrier.BarrierWorkerCommand;
import io.holdfast.lock.examples.cache.CacheProcessCommand;
import io.holdfast.lock.examples.cache.ReadWriteCommand;
import io.holdfast.lock.examples.cluster.ClusterCommand;
import io.holdfast.lock.examples.cluster.ClusterWorkersCommand;
import io.holdfast.lock.examples.election.CandidateCommand;
import io.holdfast.lock.examples.election.ElectionCommand;
import io.holdfast.lock.examples.failover.FailoverBuyersCommand;
import io.holdfast.lock.examples.failover.FailoverCommand;
import io.holdfast.lock.examples.fair.FairCommand;
import io.holdfast.lock.examples.fair.FairProcessCommand;
import io.holdfast.lock.examples.monitor.MonitorCommand;
import io.holdfast.lock.examples.permits.PermitsCommand;
import io.holdfast.lock.examples.permits.PermitsProcessCommand;
import io.holdfast.lock.examples.redlock.RedLockCommand;
import io.holdfast.lock.examples.stock.BuyerProcessCommand;
import io.holdfast.lock.examples.stock.StockCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code holdfast-examples}. */
@Command(
        name = "holdfast-examples",
        mixinStandardHelpOptions = true,
        version = "holdfast-examples 0.1.0",
        header = "What Holdfast's locks do, to watch and to try.",
        description =
                "Without --redis each command starts a Redis server of its own, and stops it at the end; redlock, failover and cluster always start several.",
        commandListHeading = "%nCommands:%n",
        footer = {"", "Start with 'stock'. Each command explains itself: holdfast-examples stock --help"},
        subcommands = {
            StockCommand.class,
            WatchdogCommand.class,
            AsyncCommand.class,
            HandleCommand.class,
            MonitorCommand.class,
            RedLockCommand.class,
            FailoverCommand.class,
            ClusterCommand.class,
            FairCommand.class,
            ReadWriteCommand.class,
            PermitsCommand.class,
            BarrierCommand.class,
            ElectionCommand.class,
            DoctorCommand.class,
            BuyerProcessCommand.class,
            FairProcessCommand.class,
            CacheProcessCommand.class,
            PermitsProcessCommand.class,
            BarrierWorkerCommand.class,
            CandidateCommand.class,
            FailoverBuyersCommand.class,
            ClusterWorkersCommand.class
        })
public final class HoldfastExamples {

    private HoldfastExamples() {}

    /** Exit code 0: all went as it should; 1: it did not; 2: the command line is wrong. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        PrintWriter errors = new PrintWriter(System.err, true, Charset.defaultCharset());
        return new CommandLine(new HoldfastExamples())
                .setErr(errors)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    errors.println(command.getCommandName() + ": " + describe(failure));
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    /** The message of a failure and of what caused it, the way users want to read it. */
    private static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable part = failure; part != null; part = part.getCause()) {
            String message = part.getMessage() == null ? part.getClass().getSimpleName() : part.getMessage();
            if (text.indexOf(message) < 0) {
                text.append(text.isEmpty() ? "" : ": ").append(message);
            }
        }
        return text.toString();
    }
}
