package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.WebApplication.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the property allows it, the endpoint frees locks by force. */
@Tag("proof")
@Tag("once")
class StarterForceTest {

    private static final String ENDPOINT = "/actuator/holdfast";

    private static WebApplication application;
    private static LockClient client;

    @BeforeAll
    static void start() {
        application = WebApplication.start(
                List.of(), "holdfast.memory=true", "management.endpoint.holdfast.access=unrestricted");
        client = application.context().getBean(LockClient.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/order:7", "/a/b/c", "?name=order:7"})
    void aLockIsFreedAndItsHolderHearsOfIt(String path) throws Exception {
        String name = path.substring(path.startsWith("?") ? "?name=".length() : 1);
        LockHold hold = client.getLock(name).acquire();
        assertThat(freed(path)).contains("\"wasHeld\":true");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(freed(path)).contains("\"wasHeld\":false");
    }

    @Test
    void aNameThatLooksLikeAPathIsNothingButAName() throws Exception {
        LockHold hold = client.getLock("../").acquire();
        assertThat(freed("?name=" + encoded("../")))
                .contains("\"name\":\"../\"")
                .contains("\"wasHeld\":true");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    /** All locks at once is no request. */
    @Test
    void withoutANameNothingIsFreed() throws Exception {
        try (LockHold hold = client.getLock("kept").acquire()) {
            assertThat(application.send("DELETE", ENDPOINT).statusCode()).isEqualTo(400);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    private static String freed(String path) throws Exception {
        HttpResponse<String> answer = application.send("DELETE", ENDPOINT + path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }
}
