package io.holdfast.lock.examples;

import static io.holdfast.lock.examples.console.Text.plural;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;
import io.holdfast.lock.examples.doctor.ServerTrial;
import io.holdfast.lock.examples.doctor.TrialText;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What an operator should know of a server's set-up before locks depend on it. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Says what is wrong with the set-up of your servers, and what to do.",
        description = {
            "Asks each server for its settings, its clock and your user's rights, and changes nothing there. Several "
                    + "addresses are the nodes of a quorum.",
            "",
            "With --try it also takes, keeps, renews and releases one lock of each kind, by two clients, in a few seconds. "
                    + "The names of these locks begin with holdfast-doctor. What stays are the limit of one semaphore and a "
                    + "token clock for each slot that was used, which must not be deleted.",
            "",
            "Exit code: 0 if there is no PROBLEM and each kind works that was tried, 1 if not, 2 if the command line is wrong, as "
                    + "with an address or options that no client takes."
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private ScreenOptions screen = new ScreenOptions();

    @Option(
            names = "--options",
            paramLabel = "FILE",
            description = "The client's options, such as those of TLS: a .properties file, as docs/options.md has it.")
    private @Nullable Path options;

    @Option(names = "--try", description = "Try each kind of lock, and say what works and what was refused.")
    private boolean tries;

    @Option(
            names = "--json",
            description =
                    "With --try: print one JSON object in place of all, without addresses. Name the provider in it, and "
                            + "send it to have its row in docs/deployments.md changed.")
    private boolean json;

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            description =
                    "An address, as LockClient.connect takes it: redis://[user][:password]@host[:port], or one that "
                            + "begins with rediss, unix, redis-cluster, redis-sentinel or redis-replicas.")
    private List<String> urls = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (json && !tries) {
            throw new ParameterException(spec.commandLine(), "--json is for --try");
        }
        // What the library logs stays out of the object.
        Console console = json ? Console.ofProcess(true) : screen.console();
        try (LockClient client = client()) {
            List<Finding> findings = client.diagnose();
            boolean isGood = findings.stream().noneMatch(finding -> finding.severity() == Severity.PROBLEM);
            if (!json) {
                new FindingList(console).print(findings);
            }
            if (tries) {
                ServerTrial.Report report = new ServerTrial(urls, options()).run();
                isGood &= report.isGood();
                if (json) {
                    console.print(TrialText.json(report, findings));
                } else {
                    console.print("");
                    TrialText.print(console, report);
                }
            }
            return isGood ? 0 : 1;
        }
    }

    private ClientOptions options() {
        return options == null ? ClientOptions.defaults() : ClientOptions.fromFile(options);
    }

    /** It does not connect by itself: that a server can't be reached is for the diagnosis to say. */
    private LockClient client() {
        try {
            ClientOptions lazy = options().toBuilder().lazy(true).build();
            return urls.size() == 1
                    ? LockClient.connect(urls.get(0), lazy)
                    : LockClient.connectQuorum(urls, lazy, QuorumOptions.defaults());
        } catch (IllegalArgumentException | UnsupportedOperationException refused) {
            throw new ParameterException(spec.commandLine(), refused.getMessage(), refused);
        }
    }

    /** How findings are shown. */
    private static final class FindingList {

        private static final int WIDTH = 79;
        private static final int SEVERITY_WIDTH = 9;
        private static final int CODE_WIDTH = 25;
        private static final int LABEL_WIDTH = 8;

        private final Console console;

        FindingList(Console console) {
            this.console = console;
        }

        void print(List<Finding> findings) {
            if (findings.isEmpty()) {
                console.print(console.good("nothing found"));
                return;
            }
            console.print(console.bold(padded("severity", SEVERITY_WIDTH) + padded("finding", CODE_WIDTH) + "node"));
            console.print("-".repeat(SEVERITY_WIDTH - 1) + " " + "-".repeat(CODE_WIDTH - 1) + " "
                    + "-".repeat(WIDTH - SEVERITY_WIDTH - CODE_WIDTH));
            findings.forEach(this::print);
            console.print(
                    "",
                    plural(count(findings, Severity.PROBLEM), "problem") + ", "
                            + plural(count(findings, Severity.WARNING), "warning") + ", "
                            + plural(count(findings, Severity.NOTE), "note"));
        }

        private void print(Finding finding) {
            String severity =
                    coloured(finding.severity(), padded(finding.severity().name(), SEVERITY_WIDTH));
            String start = severity + padded(finding.code().name(), CODE_WIDTH);
            // The address of a cluster has no blanks.
            String node = finding.node().replaceAll(",(?! )", ", ");
            List<String> nodes =
                    Text.wrap(node, WIDTH - SEVERITY_WIDTH - CODE_WIDTH, 0).toList();
            for (int i = 0; i < nodes.size(); i++) {
                console.print((i == 0 ? start : " ".repeat(SEVERITY_WIDTH + CODE_WIDTH)) + nodes.get(i));
            }
            detail("seen", finding.seen());
            detail("follows", finding.consequence());
            detail("to do", finding.remedy());
        }

        private void detail(String label, String text) {
            String start = " ".repeat(SEVERITY_WIDTH);
            List<String> lines =
                    Text.wrap(text, WIDTH - SEVERITY_WIDTH - LABEL_WIDTH, 0).toList();
            for (int i = 0; i < lines.size(); i++) {
                String head = padded(i == 0 ? label : "", LABEL_WIDTH);
                console.print(start + console.dim(head) + lines.get(i));
            }
        }

        private String coloured(Severity severity, String text) {
            return switch (severity) {
                case PROBLEM -> console.bad(text);
                case WARNING -> console.doubtful(text);
                case NOTE -> console.dim(text);
            };
        }

        private static long count(List<Finding> findings, Severity severity) {
            return findings.stream()
                    .filter(finding -> finding.severity() == severity)
                    .count();
        }

        private static String padded(String text, int width) {
            return text + " ".repeat(Math.max(0, width - text.length()));
        }
    }
}
