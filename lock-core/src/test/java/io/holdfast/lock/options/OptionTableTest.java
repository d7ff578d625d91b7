package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.text.Durations;
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
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The table has what the builders have, and what it reads is what was written. */
class OptionTableTest {

    /** Methods of builders that take code, or options whose own rows the table has. */
    private static final Set<String> WITHOUT_TEXT = Set.of(
            "callbackExecutor",
            "noCallbackExecutor",
            "noAddress",
            "noCredentials",
            "lockOptions",
            "lock.listener",
            "tls",
            "tls.sslContext",
            "tls.noSslContext",
            "tls.noCertificate",
            "tls.noServerName",
            "tls.trustOfTheJvm",
            "sentinel",
            "sentinel.noCredentials",
            "sentinel.tls",
            "sentinel.tlsOfTheAddress",
            "sentinel.tls.sslContext",
            "sentinel.tls.noSslContext",
            "sentinel.tls.noCertificate",
            "sentinel.tls.noServerName",
            "sentinel.tls.trustOfTheJvm",
            "noAddressMapper");

    /** Methods that take a value back: the text {@code none} of the option behind it. */
    private static final Map<String, String> TAKEN_BACK_BY = Map.of(
            "lock.noLease", "lock.lease",
            "lock.noMaxHold", "lock.maxHold",
            "noApplicationName", "applicationName",
            "noWaitForReplicas", "waitForReplicas",
            "noFailoverGuard", "failoverGuard");

    /** Methods that take several values at a time, each of which has a row, or what is made of a text, or none. */
    private static final Map<String, Set<String>> TOGETHER = Map.ofEntries(
            Map.entry("credentials", Set.of("user", "password", "passwordFile")),
            Map.entry("addressMapper", Set.of("addressMapper")),
            Map.entry("waitForReplicas", Set.of("waitForReplicas")),
            Map.entry("waitForReplicasOnDisk", Set.of("waitForReplicas")),
            Map.entry("tls.trustStore", Set.of("tls.trustStore", "tls.trustStorePassword")),
            Map.entry("tls.certificate", Set.of("tls.certificate", "tls.key", "tls.keyPassword")),
            Map.entry("tls.keyStore", Set.of("tls.keyStore", "tls.keyStorePassword")),
            Map.entry("sentinel.credentials", Set.of("sentinel.user", "sentinel.password", "sentinel.passwordFile")),
            Map.entry("sentinel.plain", Set.of("sentinel.plain")),
            Map.entry("sentinel.tls.trustStore", Set.of("sentinel.tls.trustStore", "sentinel.tls.trustStorePassword")),
            Map.entry(
                    "sentinel.tls.certificate",
                    Set.of("sentinel.tls.certificate", "sentinel.tls.key", "sentinel.tls.keyPassword")),
            Map.entry("sentinel.tls.keyStore", Set.of("sentinel.tls.keyStore", "sentinel.tls.keyStorePassword")));

    private static final Map<String, Class<?>> BUILDERS = Map.of(
            "", ClientOptions.Builder.class,
            "lock.", LockOptions.Builder.class,
            "tls.", TlsOptions.Builder.class,
            "sentinel.", SentinelOptions.Builder.class,
            "sentinel.tls.", TlsOptions.Builder.class);

    /** The names that Kubernetes gives to the variables of a service, after the service's own name. */
    private static final String OF_A_PLATFORM = "HOLDFAST(_.*)?_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_.*)?)";

    @Test
    void everyMethodOfABuilderHasARowOrIsNamedHere() {
        Set<String> parts = TOGETHER.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        Set<String> expected = new TreeSet<>(WITHOUT_TEXT);
        expected.addAll(TAKEN_BACK_BY.keySet());
        expected.addAll(TOGETHER.keySet());
        alone().map(OptionRow::name).forEach(expected::add);

        assertThat(methods().keySet()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(OptionTable.ROWS)
                .extracting(OptionRow::name)
                .containsAll(parts)
                .doesNotHaveDuplicates();
    }

    @Test
    void aValueIsTakenBackByTheTextNone() {
        assertThat(TAKEN_BACK_BY.values()).allSatisfy(name -> {
            OptionRow<?> row = OptionTable.row(name).orElseThrow();
            assertThat(row.form().read("none")).isEqualTo(Optional.empty());
            assertThat(row.form().expected()).endsWith("; or none");
        });
    }

    @Test
    void thePageHasTheNamesAndVariablesOfAll() throws IOException {
        String page = Files.readString(Path.of("../docs/options.md"));

        assertThat(OptionTable.ROWS).allSatisfy(row -> assertThat(page)
                .containsPattern(
                        "\\| `" + row.variable() + "` +\\| `" + row.name().replace(".", "\\.") + "` +\\|"));
        assertThat(page).contains(Variables.FILE);
    }

    @Test
    void noVariableIsOneThatAPlatformSets() {
        assertThat(OptionTable.ROWS)
                .extracting(OptionRow::variable)
                .doesNotHaveDuplicates()
                .allSatisfy(
                        name -> assertThat(name).matches("HOLDFAST(_[A-Z]+)+").doesNotMatch(OF_A_PLATFORM));
        assertThat(List.of(
                        "HOLDFAST_SERVICE_HOST",
                        "HOLDFAST_PORT",
                        "HOLDFAST_PORT_6379_TCP_ADDR",
                        "HOLDFAST_TLS_SERVICE_PORT_REDIS"))
                .allSatisfy(name -> assertThat(name).matches(OF_A_PLATFORM));
    }

    @Test
    void aVariableHasTheNameInCapitals() {
        assertThat(OptionTable.row("commandTimeout").orElseThrow().variable()).isEqualTo("HOLDFAST_COMMAND_TIMEOUT");
        assertThat(OptionTable.row("lock.watchdogLease").orElseThrow().variable())
                .isEqualTo("HOLDFAST_LOCK_WATCHDOG_LEASE");
    }

    /** Each row by itself, so that none can hide behind another. */
    @Property(tries = 200)
    void whatABuilderTakesIsReadFromItsText(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        Map<String, Method> methods = methods();
        for (OptionRow<?> row : alone().filter(row -> !row.name().matches("(tls|sentinel)\\..*"))
                .toList()) {
            Method method = methods.get(row.name());
            Object value = any(method.getParameterTypes()[0], random);
            Map<String, Object> builders = Map.of("", ClientOptions.builder(), "lock.", LockOptions.builder());
            method.invoke(builders.get(row.name().substring(0, row.name().indexOf('.') + 1)), value);
            String text = text(value, random);

            ClientOptions said = built(() -> ((ClientOptions.Builder) builders.get(""))
                    .lockOptions(((LockOptions.Builder) builders.get("lock.")).build())
                    .build());
            ClientOptions read = built(() -> OptionTexts.fromEnvironment(Map.of(row.variable(), text)));

            assertThat(read).as("%s from '%s'", row.name(), text).isEqualTo(said);
        }
    }

    /** The rows that have a method of their own. */
    private static Stream<OptionRow<?>> alone() {
        return OptionTable.ROWS.stream()
                .filter(row -> TOGETHER.values().stream().noneMatch(parts -> parts.contains(row.name())));
    }

    /** The methods of all builders, by the names of their options. */
    private static Map<String, Method> methods() {
        Map<String, Method> methods = new LinkedHashMap<>();
        BUILDERS.forEach((room, builder) -> Arrays.stream(builder.getMethods())
                .filter(method -> method.getReturnType() == builder)
                .forEach(method -> methods.put(room + method.getName(), method)));
        return methods;
    }

    /** Null if it contradicts a default: then both sides have to. */
    private static ClientOptions built(Supplier<ClientOptions> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException contradiction) {
            assertThat(contradiction).hasMessageContaining(" contradicts ");
            return null;
        }
    }

    private static Object any(Class<?> type, Random random) {
        if (type == Duration.class) {
            return Duration.ofNanos(100_000_000 + random.nextLong(1L << (27 + random.nextInt(20))));
        }
        if (type == int.class) {
            return 1 + random.nextInt(256);
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == Path.class) {
            return Path.of("file" + random.nextInt(1_000_000));
        }
        if (type == String[].class) {
            return random.nextBoolean() ? new String[] {"TLSv1.2"} : new String[] {"TLSv1.2", "TLSv1.3"};
        }
        if (type == String.class) {
            return "redis" + random.nextInt(1_000_000);
        }
        return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }

    private static String text(Object value, Random random) {
        if (value instanceof Duration time) {
            return random.nextBoolean() ? Durations.of(time) : time.toString();
        }
        if (value instanceof Enum<?> name) {
            return random.nextBoolean() ? name.name() : name.name().toLowerCase(Locale.ROOT);
        }
        return value instanceof String[] names
                ? String.join(random.nextBoolean() ? "," : " , ", names)
                : value.toString();
    }
}
