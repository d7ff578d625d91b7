package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of faults in the documentation names tests that exist, and every test class of this package. */
class FaultTableTest {

    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    @Test
    void everyTestThatTheTableNamesExists() throws Exception {
        Matcher named = TEST.matcher(table());
        List<String> tests = new ArrayList<>();
        while (named.find()) {
            Class<?> suite = suite(named.group(1));
            if (named.group(2) != null) {
                assertThat(Arrays.stream(suite.getDeclaredMethods()).map(Method::getName))
                        .as(suite.getSimpleName())
                        .contains(named.group(2));
            }
            tests.add(named.group());
        }
        assertThat(tests).hasSizeGreaterThan(30);
    }

    /** Faults of several servers, and of users' own code, are in packages of their own. */
    private static Class<?> suite(String name) throws ClassNotFoundException {
        String own = FaultTableTest.class.getPackageName();
        for (String other : List.of(".faults", ".quorum")) {
            try {
                return Class.forName(own.replace(".faults", other) + "." + name);
            } catch (ClassNotFoundException elsewhere) {
                continue;
            }
        }
        return Class.forName(own.replace(".faults", ".contract") + "." + name);
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
            String table = table();
            assertThat(suites.stream().filter(suite -> !table.contains("`" + suite)))
                    .isEmpty();
        }
    }

    private static String table() throws Exception {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/faults.md"))) {
            directory = directory.getParent();
        }
        return Files.readString(directory.resolve("docs/faults.md"));
    }
}
