package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

/** The tables of defaults in the Javadoc name every option, and the value that it really has. */
class OptionsTableTest {
    private static final Pattern ROW = Pattern.compile("<tr><td>(\\w+)</td><td>(.*?)</td>");

    /** Methods that say an option in another way, and that option, in whose row they are not named. */
    private static final Map<String, String> SAY_ANOTHER = Map.of("waitForReplicasOnDisk", "waitForReplicas");

    @Test
    void theTableOfLockOptionsIsTrue() throws Exception {
        assertTrueTable(LockOptions.defaults(), LockOptions.Builder.class);
    }

    @Test
    void theTableOfClientOptionsIsTrue() throws Exception {
        assertTrueTable(ClientOptions.defaults(), ClientOptions.Builder.class);
    }

    /** Some of them take a password too, and are none with fewer than two arguments. */
    @Test
    void theTableOfTlsOptionsIsTrue() throws Exception {
        assertTrueTable(TlsOptions.defaults(), TlsOptions.Builder.class);
    }

    @Test
    void theTableOfSentinelOptionsIsTrue() throws Exception {
        assertTrueTable(SentinelOptions.defaults(), SentinelOptions.Builder.class);
    }

    private static void assertTrueTable(Object defaults, Class<?> builder) throws Exception {
        Map<String, String> table = table(defaults.getClass());
        Stream<String> options = Arrays.stream(builder.getMethods())
                .filter(method -> method.getReturnType() == builder && method.getParameterCount() > 0)
                .map(Method::getName)
                .map(name -> SAY_ANOTHER.getOrDefault(name, name))
                .distinct();
        assertThat(table.keySet()).containsExactlyInAnyOrderElementsOf(options.toList());
        for (Map.Entry<String, String> row : table.entrySet()) {
            Object value = defaults.getClass().getMethod(row.getKey()).invoke(defaults);
            assertThat(row.getValue()).as(row.getKey()).isEqualTo(words(value));
        }
    }

    private static Map<String, String> table(Class<?> type) throws IOException {
        Path source = Path.of("src/main/java", type.getName().replace('.', '/') + ".java");
        Map<String, String> rows = new LinkedHashMap<>();
        for (Matcher row = ROW.matcher(Files.readString(source)); row.find(); ) {
            // Who brings no executor gets one from the client, so that "none" would be wrong there.
            rows.put(row.group(1), row.group(2).replace("own pool", "none"));
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
