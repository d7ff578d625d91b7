package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Snippets.Snippet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every piece of Java in the README and the documents compiles. */
class ReadmeSnippetsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path classFolder;

    @ParameterizedTest
    @MethodSource("snippets")
    void compiles(Snippet snippet) {
        assertThat(snippet.faults(classFolder)).isEmpty();
    }

    static List<Snippet> snippets() throws IOException {
        try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")), documents)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .flatMap(file -> Snippets.in(file).stream())
                    .toList();
        }
    }

    @Test
    void theReadmeAndTheGuideAreFoundAndHaveExamples() {
        List<Snippet> readme = Snippets.in(ROOT.resolve("README.md"));
        List<Snippet> guide = Snippets.in(ROOT.resolve("docs/guide.md"));
        assertThat(readme).hasSizeGreaterThan(3);
        assertThat(guide).hasSizeGreaterThan(3);
        assertThat(readme.size() + guide.size()).isGreaterThan(5);
    }

    @Test
    void aBrokenSnippetIsFound() {
        assertThat(new Snippet(Path.of("X.md"), 1, "client.getLock(\"x\").unlokc();\n").faults(classFolder))
                .singleElement()
                .asString()
                .contains("unlokc");
        assertThat(new Snippet(Path.of("X.md"), 1, "class X { LockClinet client; }\n").faults(classFolder))
                .singleElement()
                .asString()
                .contains("LockClinet");
    }
}
