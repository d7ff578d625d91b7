package io.holdfast.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** The manual page, from the same model as the help. */
@Command(
        name = "generate-man",
        mixinStandardHelpOptions = true,
        header = "Prints the manual page: holdfast generate-man > holdfast.1")
final class ManualCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        page(spec.root().commandLine()).forEach(System.out::println);
    }

    private static List<String> page(CommandLine holdfast) {
        CommandSpec root = holdfast.getCommandSpec();
        List<String> page = new ArrayList<>();
        page.add(".TH HOLDFAST 1 \"\" \"" + text(root.version()[0]) + "\" \"\"");
        page.add(".SH NAME");
        page.add("holdfast \\- " + text(lines(root.usageMessage().header())));
        page.add(".SH SYNOPSIS");
        page.add(".B holdfast");
        page.add("COMMAND [options]");
        page.add(".SH COMMANDS");
        holdfast.getSubcommands().values().stream().distinct().forEach(command -> command(command, page));
        page.add(".SH NOTES");
        page.add(".nf");
        Stream.of(root.usageMessage().footer()).skip(1).map(ManualCommand::text).forEach(page::add);
        page.add(".fi");
        return page;
    }

    private static void command(CommandLine line, List<String> page) {
        CommandSpec command = line.getCommandSpec();
        page.add(".SS " + command.qualifiedName());
        page.add(".B " + text(line.getHelp().synopsis(0).strip().replaceAll("\\s+", " ")));
        page.add(".PP");
        page.add(text(lines(command.usageMessage().header())));
        for (String paragraph :
                String.join("\n", command.usageMessage().description()).split("\n\n", -1)) {
            page.add(".PP");
            page.add(text(paragraph));
        }
        command.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .forEach(parameter -> argument(parameter, parameter.paramLabel(), page));
        command.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> argument(option, names(option), page));
    }

    private static void argument(ArgSpec argument, String names, List<String> page) {
        page.add(".TP");
        page.add(".B " + text(names));
        page.add(text(lines(argument.description())));
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    private static String lines(String[] lines) {
        return String.join(" ", lines);
    }

    /** A text without what the format takes for its own. */
    private static String text(String plain) {
        String escaped = plain.replace("%n", " ")
                .replace("%%", "%")
                .replace("\\", "\\e")
                .replace("-", "\\-")
                .strip();
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
