package io.holdfast.lock.examples;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A pointer to the command that took the doctor over. */
@Command(name = "doctor", header = "Has moved: holdfast doctor, see docs/cli.md.")
final class DoctorCommand implements Callable<Integer> {

    private static final int WRONG_COMMAND_LINE = 2;

    @Unmatched
    private String[] ignored = {};

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("doctor: is a command of holdfast now; run: holdfast-cli/bin/holdfast doctor "
                        + String.join(" ", ignored));
        return WRONG_COMMAND_LINE;
    }
}
