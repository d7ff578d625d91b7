package io.holdfast.lock.tests.mutants;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Makes mutants: patches copies of the sources and compiles what was touched against the rest. */
final class Workshop {
    private static final String RESOURCES = "/src/main/resources/";

    private final Project project;
    private final Path directory;

    /** @param directory where the copies go; one directory for each mutant */
    Workshop(Project project, Path directory) {
        this.project = project;
        this.directory = directory;
    }

    /**
     * Makes a mutant.
     *
     * @return its classes and scripts, to be put ahead of the real ones
     */
    Path make(Mutant mutant) throws IOException, PatchRefused {
        Path sources = directory.resolve(mutant.name()).resolve("sources");
        Path classes = Files.createDirectories(directory.resolve(mutant.name()).resolve("classes"));
        List<Path> touched = new ArrayList<>();
        for (String path : mutant.patch().files().keySet()) {
            String changed = changed(mutant, path);
            if (path.endsWith(".java")) {
                touched.add(write(sources.resolve(path), changed));
            } else {
                int name = path.indexOf(RESOURCES) + RESOURCES.length();
                write(classes.resolve(path.substring(name)), changed);
            }
        }
        if (!touched.isEmpty()) {
            compile(mutant, touched, classes);
        }
        return classes;
    }

    private String changed(Mutant mutant, String path) throws IOException, PatchRefused {
        boolean published = path.matches("lock-(core|netty-client)/src/main/(java|resources)/.*\\.(java|lua)");
        Path original = project.root().resolve(path);
        if (!published || !Files.exists(original)) {
            throw new PatchRefused(
                    mutant.name() + ": " + path + " is not there (expected: a published source or script)");
        }
        try {
            return mutant.patch().applyTo(path, Files.readString(original));
        } catch (PatchRefused refused) {
            throw new PatchRefused(mutant.name() + " does not apply any more: " + refused.getMessage());
        }
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void compile(Mutant mutant, List<Path> touched, Path classes) throws IOException, PatchRefused {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException(
                    "no Java compiler (expected: a JDK, not a JRE, at " + System.getProperty("java.home") + ")");
        }
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "-d",
                classes.toString(),
                "-cp",
                Project.joined(project.classPath()),
                "-proc:none",
                "-nowarn",
                "-Xlint:none");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            said, files, null, options, null, files.getJavaFileObjectsFromPaths(touched))
                    .call();
            if (!compiled) {
                throw new PatchRefused(mutant.name() + " does not compile any more:\n" + said);
            }
        }
    }
}
