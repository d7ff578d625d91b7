package io.holdfast.lock.tests.soak;

import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Soaks by hand; see {@code lock-tests/soak --help}. */
final class SoakCommand extends SoakOptions implements Callable<Integer> {

    private SoakCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SoakCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Progress progress = new Progress(System.out, Boolean.getBoolean("holdfast.terminal"));
        progress.say("soaking for " + length().toMinutes() + " minutes, seed " + seed());
        try (Soak soak = new Soak(this, progress)) {
            soak.run();
            String report = SoakReport.of(soak);
            progress.say("\n" + report);
            if (page().isPresent()) {
                Files.writeString(page().get(), report);
            }
            return soak.invariants.violationCount() == 0 ? 0 : 1;
        }
    }
}
