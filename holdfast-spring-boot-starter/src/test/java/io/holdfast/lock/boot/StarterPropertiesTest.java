package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.QuorumOptions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each option has its property by the same name, each property its description, and what has few values has them as hints. */
class StarterPropertiesTest {

    /** The table of texts in the page on options, which a test of the core compares with the code. */
    private static final Pattern OPTION = Pattern.compile("(?m)^\\| `HOLDFAST_\\w+` +\\| `([\\w.]+)` +\\|");

    private static final JsonNode METADATA = read("META-INF/spring-configuration-metadata.json");

    @ParameterizedTest
    @MethodSource("options")
    void anOptionHasItsProperty(String option) {
        String property = option.equals("address") ? "url" : dashed(option);
        assertThat(PropertyNames.OF_A_CLIENT)
                .anyMatch(name -> name.equals(property) || name.startsWith(property + "."));
    }

    @Test
    void anOptionOfAQuorumHasItsProperty() {
        Stream<String> options = Stream.of(QuorumOptions.Builder.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 1)
                .filter(method -> method.getReturnType() == QuorumOptions.Builder.class)
                .map(Method::getName);
        assertThat(options.map(option -> "quorum." + dashed(option)))
                .hasSizeGreaterThan(3)
                .isSubsetOf(PropertyNames.OF_A_CLIENT);
    }

    /** What a client writes is what options are called: an unknown name would be refused. */
    @Test
    void aPropertyIsReadAsItsOption() {
        ClientProperties client = new ClientProperties();
        client.setTls(new TlsProperties(
                null, "/a.pem", null, null, null, null, null, null, null, List.of("TLSv1.3"), "redis.internal", true));
        client.setLock(new LockProperties(null, null, null, io.holdfast.lock.KeyScheme.REDISSON, "orders"));
        client.setAddressMapper(Map.of("10.0.0.5:6379", "localhost:16379"));
        client.setWaitForReplicas(new ReplicasProperties(1, java.time.Duration.ofMillis(100), true));
        ClientOptions options = ClientOptions.fromTexts(client.texts(), name -> name);
        assertThat(options.tls().serverName()).contains("redis.internal");
        assertThat(options.lockOptions().prefix()).isEqualTo("orders");
        assertThat(options.waitForReplicas()).isPresent();
    }

    @Test
    void eachPropertyHasItsMetadataWithADescription() {
        List<String> names = METADATA.get("properties")
                .valueStream()
                .map(property -> property.get("name").asString())
                .toList();
        assertThat(PropertyNames.ALL).isNotEmpty().allMatch(name -> names.contains("holdfast." + name));
        assertThat(METADATA.get("properties").valueStream())
                .allSatisfy(property -> assertThat(property.path("description").asString(""))
                        .as(property.get("name").asString())
                        .isNotBlank()
                        .doesNotContain("{@"));
    }

    @Test
    void whatHasFewValuesHasThemAsHints() {
        List<String> hinted = METADATA.get("hints")
                .valueStream()
                .map(hint -> hint.get("name").asString())
                .toList();
        assertThat(hinted)
                .contains(
                        "holdfast.url",
                        "holdfast.transport",
                        "holdfast.lock.key-scheme",
                        "holdfast.tls.protocols",
                        "holdfast.sentinel.tls.protocols",
                        "holdfast.metrics.lock-tag");
        List<String> known = METADATA.get("properties")
                .valueStream()
                .map(property -> property.get("name").asString())
                .toList();
        assertThat(known).containsAll(hinted);
    }

    /** A property that is no option of any client, as {@code docs/spring-boot.md} tells them. */
    @Test
    void thePageTellsWhatIsNoOptionOfAClient() throws IOException {
        String page = Files.readString(Path.of("../docs/spring-boot.md"));
        assertThat(Stream.of("enabled", "memory", "urls", "clients", "locked.wait", "metrics.lock-tag", "tls.bundle"))
                .allSatisfy(name -> assertThat(page).contains(name));
    }

    static Stream<String> options() throws IOException {
        List<String> options = OPTION.matcher(Files.readString(Path.of("../docs/options.md")))
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();
        assertThat(options).hasSizeGreaterThan(40);
        return options.stream();
    }

    private static String dashed(String option) {
        return option.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    private static JsonNode read(String resource) {
        try (InputStream file = HoldfastProperties.class.getClassLoader().getResourceAsStream(resource)) {
            return JsonMapper.shared().readTree(file);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
