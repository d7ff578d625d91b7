package io.holdfast.lock.tests.chaos;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What the command was asked for. */
@Command(
        name = "lock-tests/chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Plays the fault matrix: without options every row, in about ten minutes.",
        footer = {
            "",
            "The exit code is 0 if no row failed, 1 if one did, 2 for a mistake in the arguments. A row that this machine "
                    + "cannot play is skipped, and says why."
        })
class Choices {

    @Option(names = "--short", description = "the most telling rows, with fewer rounds, in less than five minutes")
    private boolean brief;

    private @Nullable List<String> only;

    @Option(
            names = "--asking",
            description = "clients ask the server at each hand-over: ClientOptions.localHandOver(false)")
    private boolean asking;

    @Option(names = "--seed", description = "what is random follows from it; without, from the time")
    private long seed = System.nanoTime() & 0xffff_ffffL;

    @Option(names = "--out", description = "where chaos-report.html goes; without, ${DEFAULT-VALUE}")
    private Path out = Path.of("lock-tests/target");

    @Option(names = "--page", description = "write what became of the rows into docs/builders/faults.md")
    private boolean page;

    static Choices parse(String... arguments) {
        return CommandLine.populateCommand(new Choices(), arguments);
    }

    @Option(names = "--only", paramLabel = "ROWS", split = ",", description = "these rows; 45 stands for 45a to 45e")
    void only(List<String> names) {
        for (String name : names) {
            if (Matrix.rows().stream().noneMatch(row -> isMeant(row, name))) {
                throw new TypeConversionException(name + ": no such row (expected some of "
                        + String.join(
                                ", ", Matrix.rows().stream().map(Row::name).toList()) + ")");
            }
        }
        only = names;
    }

    List<Row> rows() {
        List<String> wanted = only;
        return Matrix.rows().stream()
                .filter(row -> wanted == null
                        ? !brief || row.is(Row.Trait.SHORT)
                        : wanted.stream().anyMatch(name -> isMeant(row, name)))
                .toList();
    }

    /** How the rows are played. */
    Manner manner() {
        return new Manner(seed, brief, asking);
    }

    Path out() {
        return out;
    }

    /** Whether what became of the rows is written into the documentation. */
    boolean page() {
        return page;
    }

    private static boolean isMeant(Row row, String name) {
        return row.name().equals(name) || Integer.toString(row.number()).equals(name);
    }
}
