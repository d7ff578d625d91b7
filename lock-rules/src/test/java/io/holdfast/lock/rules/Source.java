package io.holdfast.lock.rules;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A text file of the project: its path from the root, with slashes, and what is in it. */
record Source(String path, String text) {
    private static final Set<String> KINDS =
            Set.of("java", "lua", "md", "xml", "properties", "yml", "sh", "run", "editorconfig", "gitignore");
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".mvn");

    /** The modules that users get. */
    static final Set<String> PUBLISHED = Set.of(
            "lock-core",
            "lock-netty-client",
            "lock-memory",
            "lock-micrometer",
            "lock-spring",
            "holdfast-spring-boot-starter");

    /** Every text file of the project. */
    static List<Source> all() throws IOException {
        Path root = root();
        List<Source> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return SKIPPED.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if (KINDS.contains(name.substring(name.lastIndexOf('.') + 1))) {
                    String path = root.relativize(file).toString().replace('\\', '/');
                    found.add(new Source(path, Files.readString(file, StandardCharsets.UTF_8)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    /** The directory of the parent pom. */
    static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("lock-core"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException(
                        "not inside the project: " + Path.of("").toAbsolutePath());
            }
        }
        return directory;
    }

    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isTest() {
        return path.contains("/src/test/");
    }

    /** Code that users get. */
    boolean isPublished() {
        return path.contains("/src/main/") && PUBLISHED.contains(path.substring(0, path.indexOf('/')));
    }

    String directory() {
        return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
    }

    /** What stands between blanks, as {@code wc -w} counts it. */
    long words() {
        return text.strip().split("\\s+").length;
    }

    List<String> lines() {
        return text.lines().toList();
    }
}
