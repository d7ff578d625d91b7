package io.holdfast.lock.tests.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sets killers on mutants, each in a JVM of its own with the mutant's classes ahead of the real ones. */
final class Hunt {
    private static final long PATIENCE_MINUTES = 15;
    private static final int HUNG_CODE = 124;

    private final Project project;
    private final Path directory;
    private final Workshop workshop;

    Hunt(Project project, Path directory) {
        this.project = project;
        this.directory = directory;
        this.workshop = new Workshop(project, directory);
    }

    /** Sets a mutant's killer on it. */
    Result hunt(Mutant mutant) throws IOException, PatchRefused, InterruptedException {
        return hunt(mutant, program(mutant.killer()));
    }

    /**
     * Runs tests on the unchanged code, all in one JVM.
     *
     * @param healthy a mutant without a change
     */
    Result test(Mutant healthy, List<Killer.Tested> tests) throws IOException, PatchRefused, InterruptedException {
        List<String> program = new ArrayList<>(List.of(TestRun.class.getName()));
        for (Killer.Tested test : tests) {
            program.add(selector(test));
        }
        return hunt(healthy, program);
    }

    private Result hunt(Mutant mutant, List<String> program) throws IOException, PatchRefused, InterruptedException {
        Path classes = workshop.make(mutant);
        long startNanos = System.nanoTime();
        Path said = directory.resolve(mutant.name()).resolve("output.txt");
        int code = run(classes, program, said);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return Result.read(mutant, code, Files.readString(said), seconds);
    }

    private List<String> program(Killer killer) throws IOException {
        if (killer instanceof Killer.Simulated simulated) {
            return SeedRun.program(simulated.workload(), 1, simulated.seeds());
        }
        return List.of(TestRun.class.getName(), selector((Killer.Tested) killer));
    }

    private String selector(Killer.Tested test) throws IOException {
        return project.testClass(test.type()) + (test.method().isEmpty() ? "" : "#" + test.method());
    }

    private int run(Path classes, List<String> program, Path said) throws IOException, InterruptedException {
        List<Path> places = new ArrayList<>(List.of(classes));
        places.addAll(project.classPath());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx512m",
                "-cp",
                Project.joined(places)));
        command.addAll(program);
        Process process = new ProcessBuilder(command)
                .directory(project.root().resolve("lock-tests").toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            return process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) ? process.exitValue() : HUNG_CODE;
        } finally {
            process.destroyForcibly();
        }
    }
}
