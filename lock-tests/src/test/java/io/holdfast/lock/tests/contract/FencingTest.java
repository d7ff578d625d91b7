package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resources that check tokens refuse an owner that was overtaken, in Redis and in a database. */
class FencingTest extends ServerTest {

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connectClient() {
        client = connect();
        lock = client.getLock("account");
    }

    @Test
    void aValueTakesWhatIsNotOlderThanWhatItHasSeen() throws Exception {
        FencedValue value = client.getFencedValue("balance");
        assertThat(value.name()).isEqualTo("balance");
        assertThat(value.get()).isEmpty();
        long stale = overtakenToken();
        try (LockHold hold = lock.acquire()) {
            assertThat(value.set("10", hold.fencingToken())).isTrue();
            assertThat(value.set("11", hold.fencingToken())).isTrue();
            assertThat(value.set("stale", stale)).isFalse();
            assertThat(Futures.get(value.setAsync("stale", stale))).isFalse();
            assertThat(Futures.get(value.setAsync("12", hold.fencingToken()))).isTrue();
        }
        assertThat(value.get()).contains("12");
        assertThat(Futures.get(value.getAsync())).contains("12");
    }

    /** Whoever computes the new value from the old one reads under the token, so that nothing old comes in between. */
    @Test
    void aLateOwnerCannotWriteBetweenItsSuccessorsReadAndWrite() throws Exception {
        FencedValue value = client.getFencedValue("balance");
        assertThat(value.set("10", 1)).isTrue();
        long stale = overtakenToken();
        try (LockHold hold = lock.acquire()) {
            assertThat(value.get(hold.fencingToken())).contains("10");
            assertThat(value.set("9 by the late owner", stale)).isFalse();
            assertThat(Futures.get(value.getAsync(hold.fencingToken()))).contains("10");
            assertThat(value.set("9", hold.fencingToken())).isTrue();
        }
        assertThatThrownBy(() -> value.get(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aValueKeepsAnyText() {
        FencedValue value = client.getFencedValue("text {with} braces");
        for (String text : new String[] {"", " ", "\r\n\0", "gr\u00fc\u00df \ud83d\udd12", "x".repeat(100_000)}) {
            assertThat(value.set(text, 1)).isTrue();
            assertThat(value.get()).contains(text);
        }
    }

    @Test
    void aTokenThatCannotBeOneIsRefused() {
        FencedValue value = client.getFencedValue("balance");
        assertThatThrownBy(() -> value.set("1", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fencingToken: 0");
        assertThatThrownBy(() -> value.set("1", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Tokens are kept apart even where the clock of the server stands still or goes back. */
    @Test
    void tokensGrowAlthoughTheClockOfTheServerIsBehind() throws Exception {
        lock.acquire().close();
        String clock = raw.list("KEYS", "holdfast:token:*").get(0);
        long future = Long.parseLong(String.valueOf(raw.text("GET", clock))) + 120_000_000;
        raw.command("SET", clock, Long.toString(future));
        try (LockHold hold = lock.acquire()) {
            assertThat(hold.fencingToken()).isEqualTo(future + 1);
        }
        try (LockHold hold = lock.acquire()) {
            assertThat(hold.fencingToken()).isEqualTo(future + 2);
        }
    }

    /** The recipe of the documentation: the write is conditional on the token that the row has seen. */
    @Test
    void aDatabaseRowRefusesAnOvertakenOwner() throws Exception {
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:fencing")) {
            try (Statement statement = database.createStatement()) {
                statement.execute(
                        "create table account (id int primary key, balance int, fencing_token bigint not null)");
                statement.execute("insert into account values (42, 100, 0)");
            }
            long stale = overtakenToken();
            try (LockHold hold = lock.acquire()) {
                assertThat(write(database, 90, hold.fencingToken())).isEqualTo(1);
                assertThat(write(database, 80, hold.fencingToken())).isEqualTo(1);
            }
            assertThat(write(database, 0, stale)).isZero();
            try (Statement statement = database.createStatement();
                    var row = statement.executeQuery("select balance from account where id = 42")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isEqualTo(80);
            }
        }
    }

    private static int write(Connection database, int balance, long token) throws SQLException {
        try (PreparedStatement update = database.prepareStatement(
                "update account set balance = ?, fencing_token = ? where id = 42 and fencing_token <= ?")) {
            update.setInt(1, balance);
            update.setLong(2, token);
            update.setLong(3, token);
            return update.executeUpdate();
        }
    }

    /** The token of an owner that has lost the lock to somebody else. */
    private long overtakenToken() throws InterruptedException {
        LockHold overtaken = lock.acquire();
        long token = overtaken.fencingToken();
        lock.forceUnlock();
        assertThatThrownBy(overtaken::close).isInstanceOf(LockLostException.class);
        return token;
    }
}
