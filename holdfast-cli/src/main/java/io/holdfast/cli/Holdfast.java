package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.ClosedPipeException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.LogManager;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code holdfast}. */
@Command(
        name = "holdfast",
        mixinStandardHelpOptions = true,
        versionProvider = Holdfast.Version.class,
        sortOptions = false,
        header = "Looks at locks on Redis or Valkey, frees them, and runs other commands under them.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Where: --url redis://host:6379, or the variable HOLDFAST_URL, --profile or --options.",
            "",
            "  Who holds a lock?                     holdfast inspect NAME",
            "  Free the stuck lock of a host:        holdfast list --held-by HOST",
            "                                        holdfast release NAME",
            "  Run a script on one host at a time:   holdfast lock NAME --wait 0 -- ./script",
            "  Which lock is waited for most?        holdfast list --sort waiters",
            "",
            "Exit status: 0 done; 1 refused, or nothing found; 64 usage; 69 server not reachable."
        },
        subcommands = {
            ListCommand.class,
            InspectCommand.class,
            WatchCommand.class,
            TopCommand.class,
            ServeCommand.class,
            ReleaseCommand.class,
            LockCommand.class,
            SemaphoreCommand.class,
            LeadCommand.class,
            DoctorCommand.class,
            GenerateCompletion.class,
            ManualCommand.class,
            HelpCommand.class
        })
public final class Holdfast {

    private static final String END_OF_OPTIONS = "--";
    /** The commands that run another. */
    private static final List<String> RUNNING = List.of("lock", "semaphore", "lead");

    /** The command to run and its arguments: what follows the first {@code --}. */
    private final List<String> tail;

    private Holdfast(List<String> tail) {
        this.tail = tail;
    }

    public static void main(String[] arguments) {
        // Netty falls back to it, since slf4j's does nothing here.
        LogManager.getLogManager().reset();
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        int end = Arrays.asList(arguments).indexOf(END_OF_OPTIONS);
        String[] own = end < 0 ? arguments : Arrays.copyOf(arguments, end);
        List<String> tail = end < 0 ? List.of() : List.of(arguments).subList(end + 1, arguments.length);
        return commandLine(tail).execute(own);
    }

    /** What follows {@code --}. */
    List<String> tail() {
        return tail;
    }

    static CommandLine commandLine(List<String> tail) {
        PrintWriter errors = new PrintWriter(System.err, true, Charset.defaultCharset());
        CommandLine line = new CommandLine(new Holdfast(tail))
                .setErr(errors)
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(80)
                .registerConverter(Duration.class, Holdfast::duration)
                .setParameterExceptionHandler((wrong, given) -> {
                    errors.println(
                            name(wrong.getCommandLine()) + ": " + withoutPassword(String.valueOf(wrong.getMessage())));
                    if (wrong instanceof UnmatchedArgumentException
                            && RUNNING.contains(wrong.getCommandLine().getCommandName())) {
                        errors.println("a command to run comes after --, as in: NAME -- command arguments");
                    } else {
                        UnmatchedArgumentException.printSuggestions(wrong, errors);
                    }
                    errors.println("see: " + name(wrong.getCommandLine()) + " --help");
                    return Exit.USAGE;
                })
                .setExecutionExceptionHandler((failure, command, parsed) -> status(failure, name(command), errors));
        line.getCommandSpec().exitCodeOnInvalidInput(Exit.USAGE);
        return line;
    }

    /** Picocli quotes what it can't place, an address for one. */
    private static String withoutPassword(String message) {
        return Printable.message(message.replaceAll("://[^@\\s']*@", "://***@"));
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    private static int status(Exception failure, String name, PrintWriter errors) {
        if (failure instanceof ClosedPipeException) {
            return Exit.OK;
        }
        errors.println(name + ": " + describe(failure));
        if (failure instanceof LockServerException) {
            return Exit.NOTHING;
        }
        return failure instanceof LockException ? Exit.UNREACHABLE : Exit.SOFTWARE;
    }

    /** What happened, in one line; of a defect also which kind of exception it is. */
    static String describe(Throwable failure) {
        String message = failure.getMessage();
        return failure instanceof LockException && message != null
                ? message
                : Printable.message(failure.getClass().getSimpleName() + ": " + message);
    }

    /** The version of the jar. */
    static final class Version implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Optional.ofNullable(Holdfast.class.getPackage().getImplementationVersion())
                    .orElse("(not packed)");
            return new String[] {"holdfast " + version};
        }
    }

    /** A time with its unit; nothing else than 0 is clear without one. */
    private static Duration duration(String text) {
        try {
            return text.equals("0") ? Duration.ZERO : Durations.parse(text);
        } catch (IllegalArgumentException unreadable) {
            throw new TypeConversionException(unreadable.getMessage());
        }
    }

    /** Refuses a time between two looks that would keep the servers busy. */
    static void checkInterval(CommandLine.Model.CommandSpec command, Duration interval, Duration shortest) {
        if (interval.compareTo(shortest) < 0) {
            throw usage(
                    command,
                    "--interval: " + Durations.of(interval) + " (expected: " + Durations.of(shortest) + " or more)");
        }
    }

    /** That an argument or an option can't be used. */
    static ParameterException usage(CommandLine.Model.CommandSpec command, String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
