package io.holdfast.lock.examples.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.testkit.RedisServer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sells in every shop, with buyers in two real processes whose clocks differ. */
class ShopsTest {

    private static final int ITEMS = 100;
    private static final int LEASE_MILLIS = 500;
    private static final int FREEZE_MILLIS = 900;

    private static RedisServer server;
    private static Market market;

    @BeforeAll
    static void startProcesses() {
        server = RedisServer.start();
        market = new Market(server.url(), new Console(new PrintStream(OutputStream.nullOutputStream()), false, false));
        market.addProcess(12, -400);
        market.addProcess(12, 400);
    }

    @AfterAll
    static void endProcesses() {
        market.close();
        server.close();
    }

    @Tag("proof")
    @Test
    void withoutALockMoreIsSoldThanThereIs() throws Exception {
        assertThat(oversoldInAFewRounds(ShopKind.NONE, 0)).isPositive();
    }

    @Tag("proof")
    @Test
    void timestampLockFailsOnDifferentClocksAlone() throws Exception {
        assertThat(oversoldInAFewRounds(ShopKind.TIMESTAMP, 0)).isPositive();
    }

    @Tag("proof")
    @Test
    void leaseLockIsRightWhileNobodyOversleeps() throws Exception {
        Result result = sell(ShopKind.LEASE, 0);
        assertThat(result.sold()).isEqualTo(ITEMS);
        assertThat(result.oversold()).isZero();
    }

    @Tag("proof")
    @Test
    void leaseLockFailsWhenAnOwnerSleepsThroughTheEndOfItsLease() throws Exception {
        assertThat(oversoldInAFewRounds(ShopKind.LEASE, 1)).isPositive();
    }

    @Test
    @Tag("proof")
    void holdfastIsRightAlsoThenAndRefusesTheLateWrite() throws Exception {
        Result result = sell(ShopKind.HOLDFAST, 1);
        assertThat(result.sold()).isEqualTo(ITEMS);
        assertThat(result.oversold()).isZero();
        // On a busy machine others may sleep through the end of a lease as well.
        assertThat(result.tally().refused()).isPositive();
    }

    /** A lock that is wrong need not go wrong every time: on a busy machine the buyers may happen to take turns. */
    private static int oversoldInAFewRounds(ShopKind kind, int freezes) throws InterruptedException {
        int oversold = 0;
        for (int round = 0; round < 5 && oversold == 0; round++) {
            oversold = sell(kind, freezes).oversold();
        }
        return oversold;
    }

    private static Result sell(ShopKind kind, int freezes) throws InterruptedException {
        String name = "shops-test-" + UUID.randomUUID();
        return market.run(new Run(kind, name, ITEMS, LEASE_MILLIS, 1_000, 10_000, freezes, FREEZE_MILLIS));
    }
}
