package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Every series, label and value that the dashboard and the alert rules name is there when a real program is scraped. */
@Tag("proof")
class DashboardTest {

    private static final Path DASHBOARDS = Path.of("../docs/dashboards");

    private static RedisServer redis;
    private static Process program;
    private static Map<String, Map<String, Set<String>>> scraped;

    @BeforeAll
    static void scrapesAProgram() throws IOException {
        redis = RedisServer.start();
        program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MeteredProgram.class.getName(),
                        redis.url())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = program.inputReader(StandardCharsets.UTF_8);
        String port = output.readLine();
        while (port != null && !port.matches("[0-9]+")) {
            port = output.readLine();
        }
        URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
        HttpClient http = HttpClient.newHttpClient();
        // Events come by threads of the client's: the last of them is the second call's time-out.
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            String text = http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                    .body();
            scraped = Query.scraped(text);
            assertThat(text)
                    .containsPattern("holdfast_lock_wait_seconds_count\\{outcome=\"granted\"} 1")
                    .containsPattern("holdfast_lock_wait_seconds_count\\{outcome=\"timeout\"} 1")
                    .containsPattern("holdfast_lock_active 1\\.0");
        });
    }

    @AfterAll
    static void endsTheProgram() throws Exception {
        if (program != null) {
            program.getOutputStream().close();
            if (!program.waitFor(20, TimeUnit.SECONDS)) {
                program.destroyForcibly();
            }
            assertThat(program.exitValue()).isZero();
        }
        redis.close();
    }

    @Test
    void theDashboardNamesWhatIsThere() throws IOException {
        List<String> queries = expressions(read("grafana.json"));
        assertThat(queries).hasSizeGreaterThan(12);
        assertThat(queries).allSatisfy(query -> assertThat(new Query(query).faults(scraped))
                .isEmpty());
    }

    @Test
    void theAlertRulesNameWhatIsThere() throws IOException {
        List<String> queries = expressions(read("alerts.yml"));
        assertThat(queries).hasSizeGreaterThan(8);
        assertThat(queries).allSatisfy(query -> assertThat(new Query(query).faults(scraped))
                .isEmpty());
    }

    @Test
    void everySeriesOfTheTableIsOnTheDashboard() throws IOException {
        String dashboard = Files.readString(DASHBOARDS.resolve("grafana.json"));
        assertThat(scraped.keySet().stream()
                        .filter(series -> series.startsWith("holdfast_"))
                        .map(series -> series.replaceFirst("_(bucket|count|sum|max|total)$", ""))
                        .distinct())
                .hasSize(11)
                .allSatisfy(series -> assertThat(dashboard).contains(series));
    }

    @Test
    void aQueryThatNamesSomethingElseIsFound() {
        assertThat(faults("sum(rate(holdfast_lock_waits_seconds_count[5m]))"))
                .containsExactly("no series holdfast_lock_waits_seconds_count");
        assertThat(faults("sum by (lock) (holdfast_lock_active)")).containsExactly("no label lock");
        assertThat(faults("holdfast_lock_lost_total{reasons=\"key.gone\"}"))
                .containsExactly("no label reasons of holdfast_lock_lost_total");
        assertThat(faults("holdfast_lock_lost_total{instance=\"a\", reason=~\"key.gone|key.went\"} > 0"))
                .containsExactly("no value key.went of reason of holdfast_lock_lost_total");
        assertThat(faults("holdfast_lock_wait_seconds_count{outcome=\"lost\"} / holdfast_lock_active"))
                .containsExactly("no value lost of outcome of holdfast_lock_wait_seconds_count");
        assertThat(faults("vector(1)")).containsExactly("no series at all");
    }

    private static List<String> faults(String query) {
        return new Query(query).faults(scraped);
    }

    private static Object read(String file) throws IOException {
        return new Yaml().load(Files.readString(DASHBOARDS.resolve(file)));
    }

    /** What stands under {@code expr} and {@code query}, at any depth. */
    private static List<String> expressions(Object node) {
        List<String> found = new ArrayList<>();
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value instanceof String text && (key.equals("expr") || key.equals("definition"))) {
                    found.add(
                            key.equals("expr")
                                    ? text
                                    : text.replaceAll("label_values\\((\\w+), (\\w+)\\)", "sum by ($2) ($1)"));
                } else {
                    found.addAll(expressions(value));
                }
            });
        } else if (node instanceof List<?> list) {
            list.forEach(element -> found.addAll(expressions(element)));
        }
        return found;
    }
}
