package io.holdfast.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.provider.ProviderProfile;
import io.holdfast.lock.testkit.provider.Providers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What works behind the refusals of each provider; docs/deployments.md has the same table. */
class ProvidersTest {

    private static final String EVERYTHING = "connects: works works works works works works";

    /** In the order of the columns: each kind on one server, and a plain lock on a quorum. */
    private static final Map<ProviderProfile, String> EXPECTED = Map.ofEntries(
            Map.entry(Providers.NONE, EVERYTHING),
            Map.entry(Providers.ALIBABA, EVERYTHING),
            Map.entry(Providers.ENVOY, EVERYTHING),
            Map.entry(Providers.TWEMPROXY, "UNREACHABLE:"),
            Map.entry(Providers.REDIS_CLOUD, EVERYTHING),
            Map.entry(
                    Providers.ELASTICACHE_SERVERLESS,
                    "connects: works SCRIPT_REFUSED SCRIPT_REFUSED SCRIPT_REFUSED works works"),
            Map.entry(Providers.MEMORYDB, EVERYTHING),
            Map.entry(Providers.MEMORYSTORE, EVERYTHING),
            Map.entry(Providers.AIVEN, EVERYTHING),
            Map.entry(Providers.TENCENT, EVERYTHING),
            Map.entry(Providers.UPSTASH, EVERYTHING),
            Map.entry(Providers.OCI_SHARDED, "SERVER_ERROR:"));

    /** What a refusal has to say: the provider's words, or what it did. */
    private static final Map<ProviderProfile, String> WORDS = Map.of(
            Providers.TWEMPROXY, "is a proxy that does not know HELLO",
            Providers.ELASTICACHE_SERVERLESS, "ERR This Redis command is not allowed from script",
            Providers.OCI_SHARDED, "scripts are not allowed, and every step of every lock is one");

    private static Map<String, ProviderTrial.Row> rows = Map.of();

    static Stream<ProviderProfile> profiles() {
        return Providers.all().stream();
    }

    @BeforeAll
    static void tryAll() throws Exception {
        rows = ProvidersTable.run(Providers.all()).stream()
                .collect(Collectors.toMap(row -> row.profile().name(), Function.identity()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("profiles")
    void worksAsFarAsItIsKnown(ProviderProfile profile) {
        ProviderTrial.Row row = row(profile);
        List<String> words = new ArrayList<>(List.of(row.connect() + ":"));
        words.addAll(row.verdicts());
        assertThat(String.join(" ", words)).as(row.words()).isEqualTo(EXPECTED.get(profile));
        assertThat(row.words()).contains(WORDS.getOrDefault(profile, ""));
    }

    @Test
    void eachProfileSaysWhereItIsFrom() {
        assertThat(Providers.all().stream().filter(profile -> profile != Providers.NONE))
                .allSatisfy(profile ->
                        assertThat(profile.sources()).isNotEmpty().allMatch(url -> url.startsWith("https://")));
    }

    /** The table of the document is the one that is shown here. */
    @Test
    void theDocumentHasARowForEach() throws Exception {
        String document = Files.readString(Path.of("..", "docs", "deployments.md"));
        assertThat(EXPECTED.keySet().stream().filter(profile -> profile != Providers.NONE))
                .allSatisfy(profile -> assertThat(document).contains("| " + profile.name() + " |"));
    }

    private static ProviderTrial.Row row(ProviderProfile profile) {
        ProviderTrial.Row row = rows.get(profile.name());
        assertThat(row).as("the row of %s", profile).isNotNull();
        return row;
    }
}
