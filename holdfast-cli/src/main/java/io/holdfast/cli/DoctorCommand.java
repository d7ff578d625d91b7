package io.holdfast.cli;

import io.holdfast.cli.doctor.ServerTrial;
import io.holdfast.cli.doctor.TrialText;
import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.LockClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What an operator should know of a server's set-up before locks depend on it. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Says what is wrong with the set-up of your servers, and what to do.",
        description = {
            "Asks each server for its settings, its clock and your user's rights, and changes nothing there.",
            "",
            "With --try it also takes, keeps, renews and releases one lock of each kind, by two clients, in a few seconds. "
                    + "The names of these locks begin with holdfast-doctor. The limit of one semaphore stays, and a token "
                    + "clock for each slot that was used, which must not be deleted.",
            "",
            "Exit status: 0 if there is no PROBLEM and each kind works that was tried, 1 if not."
        })
final class DoctorCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "URL",
            description = "The same as --url. Several are the nodes of a quorum.")
    private List<String> urls = List.of();

    @Option(names = "--try", description = "Try each kind of lock, and say what works and what was refused.")
    private boolean tries;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private ScreenOptions shown = new ScreenOptions();

    @Override
    public Integer call() {
        store.add(urls);
        Screen screen = shown.screen();
        List<Finding> findings;
        // It does not connect by itself: that a server can't be reached is for the diagnosis to say.
        try (LockClient client = store.connect(builder -> builder.lazy(true))) {
            findings = client.diagnose();
        }
        boolean isGood = findings.stream().noneMatch(finding -> finding.severity() == Severity.PROBLEM);
        FindingTable table = new FindingTable(screen);
        if (!shown.json()) {
            table.print(findings);
        } else if (!tries) {
            table.printJson(findings);
        }
        if (!tries) {
            return isGood ? Exit.OK : Exit.NOTHING;
        }
        ServerTrial.Report report = ServerTrial.run(store::connect, store.lockOptions());
        if (shown.json()) {
            screen.line(TrialText.json(report, findings));
        } else {
            screen.line("");
            TrialText.print(screen, report);
        }
        return isGood && report.isGood() ? Exit.OK : Exit.NOTHING;
    }
}
