package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.chaos.FaultPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of faults names tests that exist, and every test class of this package. */
class FaultTableTest {

    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    private final FaultPage page = FaultPage.find(Path.of(""));

    @Test
    void everyTestThatThePageNamesExists() throws Exception {
        List<MatchResult> named =
                TEST.matcher(Files.readString(page.file())).results().toList();
        assertThat(named).hasSizeGreaterThan(80);
        for (MatchResult test : named) {
            String method = test.group(2) == null ? "class " + test.group(1) : "void " + test.group(2) + "(";
            assertThat(suite(test.group(1))).as(test.group(1)).contains(method);
        }
    }

    /** The source of a test class, whichever module it is in. */
    private String suite(String name) throws IOException {
        Path root = page.file().getParent().getParent().getParent();
        for (String module : List.of("lock-tests", "lock-netty-client")) {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/test/java"))) {
                List<Path> found =
                        files.filter(file -> file.endsWith(name + ".java")).toList();
                if (!found.isEmpty()) {
                    return Files.readString(found.get(0));
                }
            }
        }
        throw new AssertionError("no test class " + name);
    }

    @Test
    void theTableNamesEverySuite() throws Exception {
        Path classes =
                Path.of(getClass().getResource("FaultTableTest.class").toURI()).getParent();
        try (Stream<Path> files = Files.list(classes)) {
            List<String> suites = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.matches("\\w+Test\\.class") && !file.startsWith("FaultTable"))
                    .map(file -> file.replace(".class", ""))
                    .toList();
            assertThat(suites).hasSizeGreaterThan(10);
            String table = Files.readString(page.file());
            assertThat(suites.stream().filter(suite -> !table.contains("`" + suite)))
                    .isEmpty();
        }
    }
}
