package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/options.md} names the same options, with the same defaults, as the tables in the Javadoc. */
class OptionsPageTest {
    private static final Path PAGE = Path.of("../docs/options.md");
    private static final Pattern IN_THE_JAVADOC = Pattern.compile("<tr><td>(\\w+)</td><td>(.*?)</td>");
    private static final Pattern ON_THE_PAGE = Pattern.compile("(?m)^\\| `(\\w+)` +\\| (.*?) +\\|");

    @ParameterizedTest
    @ValueSource(classes = {ClientOptions.class, LockOptions.class, QuorumOptions.class, TlsOptions.class})
    void thePageHasTheDefaultsOfTheJavadoc(Class<?> options) throws IOException {
        Path source = Path.of("src/main/java", options.getName().replace('.', '/') + ".java");
        Map<String, String> documented = defaults(IN_THE_JAVADOC, Files.readString(source));
        Map<String, String> page = defaults(ON_THE_PAGE, Files.readString(PAGE));
        assertThat(documented).hasSizeGreaterThan(3);
        assertThat(page).containsAllEntriesOf(documented);
    }

    @ParameterizedTest
    @ValueSource(strings = {"| `lazy` | `true` | connect |", "| `lazi` | `false` | connect |"})
    void aWrongRowIsFound(String row) {
        assertThat(defaults(ON_THE_PAGE, row)).isNotEmpty().doesNotContainEntry("lazy", "false");
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
