package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The BOM has the version of each module that is published, and of no other. */
@Tag("once")
class BomTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String BOM = "holdfast-bom";
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    @Test
    void namesEachPublishedModule() throws Exception {
        List<String> published = found(MODULE, pom(Path.of("")))
                .filter(module -> !module.equals(BOM) && isPublished(module))
                .toList();
        String managed =
                pom(Path.of(BOM)).replaceFirst("(?s)^.*<dependencyManagement>(.*)</dependencyManagement>.*$", "$1");

        assertThat(published)
                .contains("lock-core", "holdfast-spring-boot-starter")
                .doesNotContain("lock-tests");
        assertThat(found(ARTIFACT, managed)).containsExactlyInAnyOrderElementsOf(published);
    }

    private static boolean isPublished(String module) {
        return !pom(Path.of(module)).contains("<maven.deploy.skip>true</maven.deploy.skip>");
    }

    private static Stream<String> found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results().map(result -> result.group(1));
    }

    private static String pom(Path module) {
        Path pom = ROOT.resolve(module).resolve("pom.xml");
        try {
            return Files.readString(pom);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(pom.toString(), unreadable);
        }
    }
}
