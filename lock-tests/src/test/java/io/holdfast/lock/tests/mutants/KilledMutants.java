package io.holdfast.lock.tests.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The mutants that were killed when they were last hunted: a line for each beside the patches, sorted, of its name and the
 * first seed that kills it, or {@code test}.
 */
record KilledMutants(Project project) {
    private static final String TEST = "test";

    /** The first seed of each, by the mutant's name; empty for those that tests kill. */
    Map<String, String> firstSeeds() throws IOException {
        Map<String, String> seeds = new TreeMap<>();
        for (String line : Files.readAllLines(file())) {
            String[] words = line.split(" ", 2);
            seeds.put(words[0], words[1].equals(TEST) ? "" : words[1]);
        }
        return seeds;
    }

    /** Adds results of killed mutants, and forgets mutants that have no patch any more. */
    void add(List<Result> results) throws IOException, PatchRefused {
        Map<String, String> seeds = new TreeMap<>(firstSeeds());
        results.forEach(result -> seeds.put(result.mutant().name(), result.seed()));
        seeds.keySet()
                .retainAll(Mutant.all(project.root()).stream().map(Mutant::name).toList());
        StringBuilder text = new StringBuilder();
        seeds.forEach((name, seed) -> text.append(name)
                .append(' ')
                .append(seed.isEmpty() ? TEST : seed)
                .append('\n'));
        Files.writeString(file(), text);
    }

    private Path file() {
        return project.root().resolve("lock-tests/src/test/mutants/killed.txt");
    }
}
