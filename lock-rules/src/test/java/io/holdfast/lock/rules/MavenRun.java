package io.holdfast.lock.rules;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of Maven in a directory, and what it said.
 *
 * <p>It uses the Maven and the local repository of the build that runs this test, which has by then fetched all that the
 * fixtures need. Outside of Maven, the {@code mvn} on the path.
 */
record MavenRun(String output) {
    private static final long PATIENCE_MINUTES = 5;

    static MavenRun in(Path directory, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(executable(), "-B", "-Dstyle.color=never"));
        given("holdfast.maven.repository").ifPresent(path -> command.add("-Dmaven.repo.local=" + path));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("MAVEN_ARGS");
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return new MavenRun(Files.readString(output, StandardCharsets.UTF_8));
    }

    /** What the summary says of a module: SUCCESS, FAILURE, SKIPPED, or that it is not there. */
    String resultOf(String module) {
        Matcher line = Pattern.compile("\\[INFO\\] " + Pattern.quote(module) + " \\.+ (\\w+)")
                .matcher(output);
        return line.find() ? line.group(1) : "not in the summary";
    }

    private static String executable() {
        boolean windows = System.getProperty("os.name").startsWith("Windows");
        String name = windows ? "mvn.cmd" : "mvn";
        return given("holdfast.maven.home")
                .map(home -> Path.of(home, "bin", name).toString())
                .orElse(name);
    }

    private static Optional<String> given(String property) {
        return Optional.ofNullable(System.getProperty(property)).filter(value -> !value.isBlank());
    }
}
