package io.holdfast.lock.tests.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One way to break one rule, and how that has to be noticed.
 *
 * @param name the number of the rule and a few words: the name of its file
 * @param breaks what the code does instead
 * @param expect what goes wrong then, in the words of the rule
 * @param notSimulated why the simulator can't show it; empty if it can
 */
record Mutant(String name, int rule, String breaks, String expect, Killer killer, String notSimulated, Patch patch) {
    private static final Pattern FILE = Pattern.compile("\\d{2,3}-[a-z0-9-]+\\.patch");
    private static final List<String> HEADER = List.of("rule", "breaks", "expect", "killed by");
    private static final String NOT_SIMULATED = "not in the simulator";
    private static final String ENDING = ".patch";

    /** All mutants of the project, by rule. */
    static List<Mutant> all(Path root) throws IOException, PatchRefused {
        List<Path> files;
        try (Stream<Path> found = Files.list(root.resolve("lock-tests/src/test/mutants"))) {
            files = found.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        }
        List<Mutant> mutants = new ArrayList<>();
        for (Path file : files) {
            mutants.add(read(file));
        }
        mutants.sort(Comparator.comparingInt(Mutant::rule));
        return mutants;
    }

    static Mutant read(Path file) throws IOException, PatchRefused {
        String fileName = file.getFileName().toString();
        try {
            if (!FILE.matcher(fileName).matches()) {
                throw new PatchRefused(
                        "a name that says nothing (expected: the rule and some words, 01-like-this.patch)");
            }
            return parse(fileName.substring(0, fileName.length() - ENDING.length()), Files.readAllLines(file));
        } catch (PatchRefused refused) {
            throw new PatchRefused(fileName + ": " + refused.getMessage());
        }
    }

    static Mutant parse(String name, List<String> lines) throws PatchRefused {
        Map<String, String> header = new LinkedHashMap<>();
        int at = 0;
        for (; at < lines.size() && lines.get(at).startsWith("# "); at++) {
            String[] parts = lines.get(at).substring(2).split(": ", 2);
            if (parts.length == 2 && (HEADER.contains(parts[0]) || parts[0].equals(NOT_SIMULATED))) {
                header.put(parts[0], parts[1]);
            } else {
                throw new PatchRefused(
                        "header: " + lines.get(at) + " (expected: one of " + HEADER + " or " + NOT_SIMULATED + ")");
            }
        }
        for (String word : HEADER) {
            if (!header.containsKey(word)) {
                throw new PatchRefused("header: no '# " + word + ":'");
            }
        }
        int rule = Integer.parseInt(header.get("rule"));
        if (!name.startsWith(String.format("%02d-", rule))) {
            throw new PatchRefused("header: rule " + rule + " (expected: that of the name)");
        }
        Killer killer = Killer.parse(header.get("killed by"));
        if (killer instanceof Killer.Tested != header.containsKey(NOT_SIMULATED)) {
            throw new PatchRefused(
                    "header: '# " + NOT_SIMULATED + ":' belongs to those that a test kills, and only there");
        }
        return new Mutant(
                name,
                rule,
                header.get("breaks"),
                header.get("expect"),
                killer,
                header.getOrDefault(NOT_SIMULATED, ""),
                Patch.parse(lines.subList(at, lines.size())));
    }
}
