package io.holdfast.lock.tests.soak;

import java.nio.file.Files;
import java.util.List;

/** Soaks by hand; see {@code lock-tests/soak --help}. */
final class SoakCommand {

    private SoakCommand() {}

    public static void main(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.print(SoakOptions.HELP);
            return;
        }
        SoakOptions options = parse(arguments);
        Progress progress = new Progress(System.out, Boolean.getBoolean("holdfast.terminal"));
        progress.say("soaking for " + options.length().toMinutes() + " minutes, seed " + options.seed());
        boolean passed;
        try (Soak soak = new Soak(options, progress)) {
            soak.run();
            String report = SoakReport.of(soak);
            progress.say("\n" + report);
            if (options.page().isPresent()) {
                Files.writeString(options.page().get(), report);
            }
            passed = soak.invariants.violationCount() == 0;
        }
        System.exit(passed ? 0 : 1);
    }

    private static SoakOptions parse(String[] arguments) {
        try {
            return SoakOptions.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
            throw wrong;
        }
    }
}
