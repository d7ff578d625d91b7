package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/options.md} names the same options, with the same defaults, as the tables in the Javadoc. */
class OptionsPageTest {
    private static final Path PAGE = Path.of("../docs/options.md");
    private static final Pattern IN_THE_JAVADOC = Pattern.compile("<tr><td>(\\w+)</td><td>(.*?)</td>");
    private static final Pattern ON_THE_PAGE = Pattern.compile("(?m)^\\| `(\\w+)` +\\| (.*?) +\\|");

    @ParameterizedTest
    @MethodSource("sections")
    void thePageHasTheDefaultsOfTheJavadoc(Class<?> options, String section) throws IOException {
        Path source = Path.of("src/main/java", options.getName().replace('.', '/') + ".java");
        Map<String, String> documented = defaults(IN_THE_JAVADOC, Files.readString(source));
        Map<String, String> page = defaults(ON_THE_PAGE, section(section));
        assertThat(documented).hasSizeGreaterThan(2);
        assertThat(page).containsAllEntriesOf(documented);
    }

    static Stream<Arguments> sections() {
        return Stream.of(
                arguments(ClientOptions.class, "Of a client"),
                arguments(LockOptions.class, "Of a lock"),
                arguments(TlsOptions.class, "Of TLS"),
                arguments(SentinelOptions.class, "Of Sentinels"),
                arguments(QuorumOptions.class, "Of a quorum"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"| `lazy` | `true` | connect |", "| `lazi` | `false` | connect |"})
    void aWrongRowIsFound(String row) {
        assertThat(defaults(ON_THE_PAGE, row)).isNotEmpty().doesNotContainEntry("lazy", "false");
    }

    /** What stands under a heading: two kinds of options may have one name. */
    private static String section(String heading) throws IOException {
        return Arrays.stream(Files.readString(PAGE).split("\n## "))
                .filter(section -> section.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow();
    }

    /** The default of each option, without markup. */
    private static Map<String, String> defaults(Pattern row, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        for (Matcher rows = row.matcher(text); rows.find(); ) {
            found.put(
                    rows.group(1),
                    rows.group(2)
                            .replaceAll("\\{@link \\w+#defaults\\(\\)}", "the defaults")
                            .replaceAll("\\{@code (.*?)}|`", "$1"));
        }
        return found;
    }
}
