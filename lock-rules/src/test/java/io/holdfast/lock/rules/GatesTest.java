package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gates of the build itself: each is shown to stop what it is there to stop.
 *
 * <p>Maven is run once, on a project made of our own parent pom and copies of {@code lock-core}'s pom. One module has
 * nothing wrong with it, each other one a single thing.
 */
@Tag("proof")
@Tag("gates")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("once")
class GatesTest {
    private static final String GOOD =
            """
            package io.holdfast.fixture;

            class Good {
                int one() {
                    return 1;
                }
            }
            """;

    private static final String SLF4J =
            "<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId></dependency>";

    /** Not wanted: the fixtures have no tests, and none of our modules is in their build. */
    private static final String OWN_DEPENDENCY =
            "<dependency>\\s*<groupId>io\\.holdfast</groupId>\\s*<artifactId>[^<]*</artifactId>\\s*(<scope>test</scope>)?\\s*</dependency>";

    private final Map<String, String> bad = new LinkedHashMap<>();
    private MavenRun run;

    @BeforeAll
    void buildTheFixtures(@TempDir Path directory) throws IOException, InterruptedException {
        bad.put("null-away", GOOD.replace("int one() {\n        return 1;", "Object one() {\n        return null;"));
        bad.put(
                "error-prone",
                GOOD.replace(
                        "int one() {\n        return 1;",
                        """
                String one() {
                        return new int[1].toString();"""));
        bad.put(
                "lint",
                GOOD.replace(
                        "int one() {\n        return 1;",
                        """
                java.util.List one() {
                        return java.util.List.of();"""));
        bad.put("format", GOOD.replace("return 1;", "return    1;"));
        bad.put("dependency", GOOD);
        bad.put("duplicate", GOOD);

        String parent = Files.readString(Source.root().resolve("pom.xml"));
        String modules = "<module>good</module><module>" + String.join("</module><module>", bad.keySet()) + "</module>";
        Files.writeString(
                directory.resolve("pom.xml"),
                parent.replaceFirst("(?s)<modules>.*?</modules>", "<modules>" + modules + "</modules>"));
        String pom =
                Files.readString(Source.root().resolve("lock-core/pom.xml")).replaceAll(OWN_DEPENDENCY, "");
        writeModule(directory, "good", pom, GOOD);
        for (Map.Entry<String, String> each : bad.entrySet()) {
            writeModule(directory, each.getKey(), pom, each.getValue());
        }
        String assertj = "<artifactId>assertj-core</artifactId>\n      <scope>";
        replaceInPom(directory.resolve("dependency"), assertj + "test", assertj + "compile");
        replaceInPom(directory.resolve("duplicate"), "<dependencies>", "<dependencies>" + SLF4J);
        run = MavenRun.in(directory, "--fail-at-end", "verify");
    }

    @Test
    void codeWithNothingWrongPasses() {
        assertThat(run.resultOf("good")).as(run.output()).isEqualTo("SUCCESS");
    }

    @Test
    void nullWhereNoneMayBeIsStopped() {
        assertStopped("null-away", "[NullAway] returning @Nullable expression");
    }

    @Test
    void aKnownKindOfBugIsStopped() {
        assertStopped("error-prone", "[ArrayToString]");
    }

    @Test
    void aWarningOfTheCompilerIsStopped() {
        assertStopped("lint", "[rawtypes] found raw type: List");
    }

    @Test
    void anotherFormatIsStopped() {
        assertStopped("format", "had format violations");
    }

    @Test
    void aForeignRuntimeDependencyIsStopped() {
        assertStopped("dependency", "The published modules bring nothing but what the design allows");
    }

    @Test
    void aDependencyNamedTwiceIsStopped() {
        assertStopped("duplicate", "duplicate dependency declaration");
    }

    private void assertStopped(String module, String why) {
        assertThat(run.resultOf(module)).as(run.output()).isEqualTo("FAILURE");
        assertThat(run.output()).contains(why);
    }

    private static void writeModule(Path directory, String name, String pom, String source) throws IOException {
        Path sources = Files.createDirectories(directory.resolve(name).resolve("src/main/java/io/holdfast/fixture"));
        Files.writeString(
                directory.resolve(name).resolve("pom.xml"),
                pom.replaceFirst("<name>[^<]*</name>", "<name>" + name + "</name>")
                        .replace("<artifactId>lock-core</artifactId>", "<artifactId>" + name + "</artifactId>"));
        Files.writeString(sources.resolve("Good.java"), source);
        Files.writeString(
                sources.resolve("package-info.java"),
                """
                /** A fixture. */
                @NullMarked
                package io.holdfast.fixture;

                import org.jspecify.annotations.NullMarked;
                """);
    }

    private static void replaceInPom(Path module, String old, String replacement) throws IOException {
        Path pom = module.resolve("pom.xml");
        String text = Files.readString(pom);
        assertThat(text).contains(old);
        Files.writeString(pom, text.replace(old, replacement));
    }
}
