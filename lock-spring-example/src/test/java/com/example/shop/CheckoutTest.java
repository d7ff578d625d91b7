package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.boot.AutoConfigureHoldfast;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** A test without a server: locks are in memory, as the database is. */
@SpringBootTest(
        webEnvironment = WebEnvironment.NONE,
        properties = {"spring.datasource.url=jdbc:h2:mem:checkout", "holdfast.locked.wait=2s"})
@AutoConfigureHoldfast
@Tag("proof")
@Tag("once")
class CheckoutTest {

    @Autowired
    private Checkout checkout;

    @Autowired
    private Stock stock;

    @Autowired
    private LockClient locks;

    @Test
    void anItemIsSoldOnce() throws Exception {
        stock.fill("book", 1);
        ExecutorService buyers = Executors.newFixedThreadPool(8);
        try {
            List<Future<Optional<Sale>>> purchases = IntStream.range(0, 8)
                    .mapToObj(buyer -> buyers.submit(() -> checkout.buy("book", "b" + buyer)))
                    .toList();
            for (Future<Optional<Sale>> purchase : purchases) {
                purchase.get();
            }
        } finally {
            buyers.shutdownNow();
        }
        assertThat(stock.sales("book")).hasSize(1);
    }

    @Test
    void nothingIsSoldWithoutTheLock() throws Exception {
        stock.fill("pen", 1);
        try (LockHold other = locks.getLock("item:pen").acquire()) {
            assertThatThrownBy(() -> checkout.buy("pen", "late"))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("item:pen");
            assertThat(other.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(stock.left("pen")).isEqualTo(1);
    }
}
