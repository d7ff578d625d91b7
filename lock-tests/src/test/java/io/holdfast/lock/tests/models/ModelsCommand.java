package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.stream.Stream;

/** Goes through the models by hand; see {@code lock-tests/models --help}. */
final class ModelsCommand {
    private static final String HELP =
            """
            usage: lock-tests/models [RULE | --long | --help]

              without arguments  go through all models, with all rules and without each
              RULE               the shortest way to break the protocol without that rule
              --long             larger bounds, with all rules; takes a minute or two
            """;

    private ModelsCommand() {}

    public static void main(String[] arguments) {
        String what = arguments.length == 0 ? "" : arguments[0];
        switch (what) {
            case "" -> print(Finding.all());
            case "--long" ->
                print(Subject.ALL.stream()
                        .flatMap(subject -> Finding.withAllRules(subject, true).stream())
                        .toList());
            case "--help", "-h" -> System.out.print(HELP);
            default -> printTraces(what);
        }
    }

    private static void print(List<Finding> findings) {
        System.out.println(FindingTable.line(FindingTable.HEAD));
        for (Finding finding : findings) {
            System.out.println(FindingTable.line(finding.row()));
        }
        List<Finding> wrong = findings.stream()
                .filter(finding ->
                        finding.without() == null && finding.exploration().counterexample() != null)
                .toList();
        for (Finding finding : wrong) {
            System.out.printf("%n%s:%n%s", finding.name(), finding.exploration().counterexample());
        }
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    private static void printTraces(String rule) {
        List<Finding> findings = Finding.all().stream()
                .filter(finding ->
                        finding.without() != null && finding.without().name().equalsIgnoreCase(rule))
                .toList();
        if (findings.isEmpty()) {
            System.err.println("no rule " + rule + " (expected one of " + names() + ")");
            System.exit(2);
        }
        for (Finding finding : findings) {
            Rule without = finding.without();
            System.out.printf(
                    "%s without rule %d: %s%n",
                    finding.subject().name(),
                    without.leftOut().number(),
                    without.leftOut().says());
            System.out.println(finding.exploration().counterexample());
        }
    }

    private static String names() {
        Stream<Rule> rules = Subject.ALL.stream().flatMap(subject -> subject.rules().stream());
        return String.join(", ", rules.map(Rule::name).distinct().toList());
    }
}
