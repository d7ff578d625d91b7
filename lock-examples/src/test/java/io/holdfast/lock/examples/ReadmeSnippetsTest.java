package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Snippets.Snippet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every piece of Java in the README and the documents compiles. */
class ReadmeSnippetsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path classFolder;

    @Test
    void allCompile() throws IOException {
        try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
            List<Snippet> all = Stream.concat(
                            Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")), documents)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .flatMap(file -> Snippets.in(file).stream())
                    .toList();
            assertThat(Snippets.faults(all, classFolder)).isEmpty();
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
    void eachBrokenSnippetIsFoundAndNoOther() {
        Snippet statement = new Snippet(Path.of("X.md"), 1, "client.getLock(\"x\").unlokc();\n");
        Snippet type = new Snippet(Path.of("X.md"), 2, "class X { LockClinet client; }\n");
        Snippet grammar = new Snippet(Path.of("X.md"), 3, "class X { int }\n");
        Snippet whole = new Snippet(Path.of("X.md"), 4, "class X { LockClient client; }\n");
        Map<Snippet, List<String>> faults = Snippets.faults(List.of(grammar, statement, type, whole), classFolder);
        assertThat(faults).containsOnlyKeys(grammar, statement, type);
        assertThat(faults.get(statement)).singleElement().asString().contains("unlokc");
        assertThat(faults.get(type)).singleElement().asString().contains("LockClinet");
    }
}
