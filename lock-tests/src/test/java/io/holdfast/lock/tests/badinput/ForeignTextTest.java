package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A name with characters that forge lines of a log, or turn what is read, is shown with those written out. */
@RedisTest
class ForeignTextTest {

    private static final String NAME = "job\r\nWARN forged\u0085\u2028\u202e\u001b[2J";
    private static final String SHOWN = "job\\u000d\\u000aWARN forged\\u0085\\u2028\\u202e\\u001b[2J";

    private static final LockOptions SHORT = Clients.watchdog(Duration.ofMillis(600));

    private final Logger library = (Logger) LoggerFactory.getLogger("io.holdfast");
    private final Level levelBefore = library.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connect(RedisServer redis) {
        library.setLevel(Level.WARN);
        library.addAppender(lines);
        lines.start();
        client = Clients.connect(redis.url());
        lock = client.getLock(NAME);
    }

    @AfterEach
    void close() {
        client.close();
        library.detachAppender(lines);
        library.setLevel(levelBefore);
    }

    @Test
    void messagesShowItAndGettersReturnItAsItIs(RawRedis raw) {
        LockNotHeldException stranger = catchThrowableOfType(LockNotHeldException.class, lock::unlock);
        assertThat(stranger).hasMessageContaining("'" + SHOWN + "'");
        assertThat(stranger.name()).hasValue(NAME);

        raw.command("SET", Stored.key(NAME), "no lock");
        LockServerException wrongType = catchThrowableOfType(LockServerException.class, lock::tryLock);
        assertThat(wrongType).hasMessageContaining("'" + SHOWN + "'");
        assertThat(wrongType.name()).hasValue(NAME);
    }

    @Test
    void whatPrintsItselfShowsItToo() throws Exception {
        assertThat(lock.getName()).isEqualTo(NAME);
        assertThat(lock).hasToString("RLock{" + SHOWN + "}");
        try (LockHold hold = lock.acquire()) {
            assertThat(hold.toString()).contains(SHOWN);
            assertThat(client.inspect(NAME).name()).isEqualTo(NAME);
            assertThat(client.inspect(NAME).toString()).contains(SHOWN);
        }
    }

    @Test
    void theLogShowsALossOnOneLine(RawRedis raw) throws Exception {
        List<LockLoss> losses = new CopyOnWriteArrayList<>();
        LockHold hold = client.getLock(NAME, SHORT).acquire().onLost(losses::add);
        raw.command("DEL", Stored.key(NAME));
        await().until(() -> log().stream().anyMatch(line -> line.contains("LOST")) && !losses.isEmpty());
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses.get(0).name()).isEqualTo(NAME);
        assertThat(losses.get(0).toString()).contains(SHOWN);
        assertThat(log()).anyMatch(line -> line.contains(SHOWN)).noneMatch(line -> line.contains("\n"));
    }

    @Test
    void theLogShowsADeadThreadOnOneLine() throws Exception {
        Thread owner = new Thread(client.getLock("left", SHORT)::lock, "owner\nWARN forged");
        owner.start();
        owner.join();
        await().until(() -> log().stream().anyMatch(line -> line.contains("'owner\\u000aWARN forged'")));
        assertThat(log()).noneMatch(line -> line.contains("\n"));
    }

    private List<String> log() {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
