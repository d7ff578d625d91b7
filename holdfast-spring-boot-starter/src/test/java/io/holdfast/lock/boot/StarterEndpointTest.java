package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.WebApplication.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code /actuator/holdfast} answers over HTTP. */
class StarterEndpointTest {

    private static final String ENDPOINT = "/actuator/holdfast";

    private static WebApplication application;
    private static LockClient client;

    @BeforeAll
    static void start() {
        application = WebApplication.start(
                List.of(),
                "holdfast.memory=true",
                "holdfast.url=memory:",
                "holdfast.clients.batch.url=memory:",
                "management.endpoint.health.show-details=always");
        client = application.context().getBean("lockClient", LockClient.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void ownHoldsAndWaitersAreThere() throws Exception {
        try (LockHold hold = client.getLock("order:1").acquire()) {
            RFuture<LockHold> waiting = client.getLock("order:1").acquireAsync();
            await().until(() -> !client.waiters().isEmpty());
            JsonNode own = json(application.get(ENDPOINT)).get("lockClient");
            assertThat(own.get("id").asString()).isEqualTo(client.id());
            JsonNode held = own.get("holds").get(0);
            assertThat(held.get("name").asString()).isEqualTo("order:1");
            assertThat(held.get("fencingToken").asLong()).isEqualTo(hold.fencingToken());
            assertThat(held.get("kind").asString()).isEqualTo("PLAIN");
            assertThat(held.get("state").asString()).isEqualTo("HELD");
            assertThat(own.get("waiters").get(0).get("position").asInt()).isOne();
            assertThat(own.get("waiters").get(0).get("kind").asString()).isEqualTo("PLAIN");
            waiting.cancel(true);
        }
    }

    @Test
    void ofVeryManyHoldsTheFirstAreThereAndTheirNumber() throws Exception {
        int count = ClientView.SHOWN + 1;
        List<LockHold> holds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            holds.add(client.getLock("many:" + i).acquire());
        }
        JsonNode own = json(application.get(ENDPOINT)).get("lockClient");
        assertThat(own.get("holdCount").asInt()).isEqualTo(count);
        assertThat(own.get("holds").size()).isEqualTo(ClientView.SHOWN);
        holds.forEach(LockHold::releaseAsync);
        await().until(() -> client.holds().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "order:1/2/3", "100 %", "a\nb", "..", "a/../../b", "é∞", "a?b#c;d", "a+b"})
    void aLockIsFoundByItsNameInThePath(String name) throws Exception {
        try (LockHold hold = client.getLock(name).acquire()) {
            JsonNode found = json(application.get(
                    ENDPOINT + "/" + encoded(name).replace("%2F", "/").replace("..", "%2E%2E")));
            assertThat(found.get("name").asString()).isEqualTo(name);
        }
    }

    /** A web server resolves dots of a path, and refuses slashes that are encoded. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "../", "../../etc/passwd", "/", "a//b", "a/", "100%", "a\nb", "a\\b", "%2e", " "})
    void aLockIsFoundByAnyNameInTheQuery(String name) throws Exception {
        try (LockHold hold = client.getLock(name).acquire()) {
            JsonNode found = json(application.get(ENDPOINT + "?name=" + encoded(name)));
            assertThat(found.get("name").asString()).isEqualTo(name);
            assertThat(found.get("locked").asBoolean()).isTrue();
            assertThat(found.get("holders").get(0).get("ofThisClient").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void aHolderIsAProcessWithItsApplicationAndHost() throws Exception {
        try (LockHold hold = client.getLock("known").acquire()) {
            await().untilAsserted(() -> {
                JsonNode process = json(application.get(ENDPOINT + "/known"))
                        .get("holders")
                        .get(0)
                        .path("process");
                assertThat(process.path("application").asString("")).isEqualTo("shop");
                assertThat(process.path("host").asString("")).isNotBlank();
                assertThat(process.path("processId").asLong(0))
                        .isEqualTo(ProcessHandle.current().pid());
            });
        }
    }

    @Test
    void aClientIsChosenByItsQualifierOrItsBean() throws Exception {
        LockClient batch = application.context().getBean("batchLockClient", LockClient.class);
        try (LockHold hold = batch.getLock("report").acquire()) {
            assertThat(json(application.get(ENDPOINT + "/report")).get("locked").asBoolean())
                    .isFalse();
            for (String name : List.of("batch", "batchLockClient")) {
                assertThat(json(application.get(ENDPOINT + "/report?client=" + name))
                                .get("locked")
                                .asBoolean())
                        .isTrue();
            }
        }
    }

    @Test
    void anUnknownClientIsARefusedRequest() throws Exception {
        HttpResponse<String> answer = application.get(ENDPOINT + "/report?client=nightly");
        assertThat(answer.statusCode()).isEqualTo(400);
    }

    @Test
    void aNameThatCanBeNoLockIsARefusedRequest() throws Exception {
        assertThat(application.get(ENDPOINT + "?name=" + "n".repeat(1025)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void freeingByForceIsNotThereUnlessEnabled() throws Exception {
        try (LockHold hold = client.getLock("kept").acquire()) {
            assertThat(application.send("DELETE", ENDPOINT + "/kept").statusCode())
                    .isEqualTo(405);
            assertThat(application.send("DELETE", ENDPOINT + "?name=kept").statusCode())
                    .isEqualTo(405);
            assertThat(hold.state()).hasToString("HELD");
        }
    }

    @Test
    void healthIsOfEachClientAndReadinessKnowsNoLocks() throws Exception {
        JsonNode health = json(application.get("/actuator/health"));
        JsonNode holdfast = health.get("components").get("holdfast");
        assertThat(holdfast.get("components").propertyNames())
                .containsExactlyInAnyOrder("lockClient", "batchLockClient");
        assertThat(holdfast.get("components")
                        .get("lockClient")
                        .get("details")
                        .get("roundTrip")
                        .asString())
                .isNotBlank();
        assertThat(application.get("/actuator/health/readiness").body()).doesNotContain("holdfast");
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }
}
