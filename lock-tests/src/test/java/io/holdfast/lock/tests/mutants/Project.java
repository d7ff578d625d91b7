package io.holdfast.lock.tests.mutants;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where things are in a project that has been compiled.
 *
 * @param root the directory of the parent pom
 */
record Project(Path root) {
    private static final List<String> MUTATED = List.of("lock-core", "lock-netty-client");
    private static final List<String> WITH_TESTS = List.of("lock-core", "lock-netty-client", "lock-tests");

    /** The project that a directory is in. */
    static Project find(Path inside) {
        Path directory = inside.toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("lock-core"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("not inside the project: " + inside.toAbsolutePath());
            }
        }
        return new Project(directory);
    }

    /** Everything that the code and its tests need, the compiled modules first. */
    List<Path> classPath() {
        Set<Path> places = new LinkedHashSet<>();
        MUTATED.forEach(module -> places.add(root.resolve(module).resolve("target/classes")));
        WITH_TESTS.forEach(module -> places.add(root.resolve(module).resolve("target/test-classes")));
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(place -> !place.isEmpty())
                .map(place -> Path.of(place).toAbsolutePath())
                .forEach(places::add);
        return List.copyOf(places);
    }

    /** A class path as the tools of the JDK take it. */
    static String joined(List<Path> places) {
        return places.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** The one test class whose name ends so. */
    String testClass(String end) throws IOException {
        String suffix = "/" + end.replace('.', '/') + ".class";
        List<String> found = new ArrayList<>();
        for (String module : WITH_TESTS) {
            Path classes = root.resolve(module).resolve("target/test-classes");
            try (Stream<Path> files = Files.walk(classes)) {
                files.map(file -> "/" + classes.relativize(file).toString().replace(File.separatorChar, '/'))
                        .filter(file -> file.endsWith(suffix))
                        .map(file -> file.substring(1, file.length() - ".class".length())
                                .replace('/', '.'))
                        .forEach(found::add);
            }
        }
        if (found.size() != 1) {
            throw new IOException("test class " + end + ": found " + found + " (expected: one; say more of its name)");
        }
        return found.get(0);
    }
}
