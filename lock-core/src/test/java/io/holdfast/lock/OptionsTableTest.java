package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of defaults in the Javadoc and in {@code docs/options.md}: every option, with its real value. */
class OptionsTableTest {
    private static final Path PAGE = Path.of("../docs/options.md");
    private static final Pattern ON_THE_PAGE = Pattern.compile("(?m)^\\| `(\\w+)` +\\| (.*?) +\\|");
    private static final Pattern ROW = Pattern.compile("<tr><td>(\\w+)</td><td>(.*?)</td>");

    /** Methods that say an option in another way, and that option, in whose row they are not named. */
    private static final Map<String, String> SAY_ANOTHER = Map.of("waitForReplicasOnDisk", "waitForReplicas");

    static Stream<Arguments> tables() {
        return Stream.of(
                arguments(LockOptions.defaults(), LockOptions.Builder.class),
                arguments(ClientOptions.defaults(), ClientOptions.Builder.class),
                arguments(TlsOptions.defaults(), TlsOptions.Builder.class),
                arguments(SentinelOptions.defaults(), SentinelOptions.Builder.class));
    }

    /** Some options of TLS take a password too, and are none with fewer than two arguments. */
    @ParameterizedTest
    @MethodSource("tables")
    void theTableIsTrue(Object defaults, Class<?> builder) throws Exception {
        Map<String, String> table = table(defaults.getClass());
        Stream<String> options = Arrays.stream(builder.getMethods())
                .filter(method -> method.getReturnType() == builder && method.getParameterCount() > 0)
                .map(Method::getName)
                .map(name -> SAY_ANOTHER.getOrDefault(name, name))
                .distinct();
        assertThat(table.keySet()).containsExactlyInAnyOrderElementsOf(options.toList());
        for (Map.Entry<String, String> row : table.entrySet()) {
            Object value = defaults.getClass().getMethod(row.getKey()).invoke(defaults);
            // Who brings no executor gets one from the client, so that "none" would be wrong there.
            assertThat(row.getValue().replace("own pool", "none"))
                    .as(row.getKey())
                    .isEqualTo(words(value));
        }
    }

    private static Map<String, String> table(Class<?> type) throws IOException {
        Path source = Path.of("src/main/java", type.getName().replace('.', '/') + ".java");
        Map<String, String> rows = new LinkedHashMap<>();
        for (Matcher row = ROW.matcher(Files.readString(source)); row.find(); ) {
            rows.put(row.group(1), row.group(2));
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("sections")
    void thePageHasTheDefaultsOfTheJavadoc(Class<?> options, String section) throws IOException {
        Map<String, String> documented = table(options);
        documented.replaceAll((name, value) -> value.replaceAll("\\{@link \\w+#defaults\\(\\)}", "the defaults")
                .replaceAll("\\{@code (.*?)}", "$1"));
        assertThat(documented).hasSizeGreaterThan(2);
        assertThat(page(Files.readString(PAGE), section)).containsAllEntriesOf(documented);
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
        assertThat(page("\n## Of a client\n" + row, "Of a client")).isNotEmpty().doesNotContainEntry("lazy", "false");
    }

    /** What stands under a heading of the page, without markup: two kinds of options may have one name. */
    private static Map<String, String> page(String text, String heading) {
        String section = Arrays.stream(text.split("\n## "))
                .filter(part -> part.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow();
        Map<String, String> rows = new LinkedHashMap<>();
        for (Matcher row = ON_THE_PAGE.matcher(section); row.find(); ) {
            rows.put(row.group(1), row.group(2).replace("`", ""));
        }
        return rows;
    }

    /** A default as the tables write it. */
    private static String words(Object value) {
        if (value instanceof Duration time) {
            return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
        }
        if (value instanceof Integer number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
        if (value instanceof String text) {
            return "{@code " + text + "}";
        }
        if (value instanceof Optional<?> optional && optional.isEmpty()) {
            return "none";
        }
        if (value == TlsOptions.defaults() || value == SentinelOptions.defaults() || value == LockOptions.defaults()) {
            return "{@link " + value.getClass().getSimpleName() + "#defaults()}";
        }
        return value instanceof List<?> all
                ? all.stream().map(Object::toString).collect(Collectors.joining(", "))
                : value.toString();
    }
}
