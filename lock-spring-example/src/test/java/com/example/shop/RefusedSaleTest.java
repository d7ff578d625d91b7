package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.boot.AutoConfigureHoldfast;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** What a buyer is told over HTTP when the lock is refused, or lost before the sale is written. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"spring.datasource.url=jdbc:h2:mem:refused", "holdfast.locked.wait=200ms", "shop.payment-time=1s"
        })
@AutoConfigureHoldfast
@Tag("proof")
@Tag("once")
class RefusedSaleTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Value("${local.server.port}")
    private int port;

    @Autowired
    private Stock stock;

    @Autowired
    private LockClient locks;

    @Test
    void aBuyerWhoseLockIsLostIsToldToComeAgain() {
        stock.fill("lamp", 1);
        CompletableFuture<HttpResponse<String>> answer = buy("lamp");
        await().until(() -> locks.getLock("item:lamp").isLocked());
        locks.getLock("item:lamp").forceUnlock();
        assertSoldLater(answer.join());
        assertThat(stock.left("lamp")).isEqualTo(1);
    }

    @Test
    void aBuyerWhoWaitsInVainIsToldToComeAgain() throws Exception {
        stock.fill("pen", 1);
        try (LockHold other = locks.getLock("item:pen").acquire()) {
            assertSoldLater(buy("pen").join());
            assertThat(other.state()).isEqualTo(HoldState.HELD);
        }
    }

    private static void assertSoldLater(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    }

    private CompletableFuture<HttpResponse<String>> buy(String item) {
        URI sale = URI.create("http://127.0.0.1:" + port + "/items/" + item + "/sales?buyer=b");
        return HTTP.sendAsync(
                HttpRequest.newBuilder(sale).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }
}
