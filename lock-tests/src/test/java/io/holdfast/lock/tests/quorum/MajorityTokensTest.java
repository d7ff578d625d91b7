package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tokens increase from one acquisition to the next, whichever servers make the majority, however far apart they are. */
@Tag("proof")
class MajorityTokensTest extends QuorumTest {

    private static final int ACQUISITIONS = 200;
    private static final long MINUTE_MICROS = 60_000_000;

    @Test
    void tokensGrowFromOneMajorityToAnother() throws Exception {
        List<LockClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(warm(connectQuorum()));
        }
        tokenClocksAreMinutesApart();
        Random random = new Random(42);
        long last = 0;
        for (int i = 0; i < ACQUISITIONS; i++) {
            int first = random.nextInt(5);
            int second = random.nextInt(5);
            servers.get(first).pause();
            servers.get(second).pause();
            try (LockHold hold = clients.get(i % 3)
                    .getLock(NAME)
                    .tryAcquire(Duration.ofSeconds(10))
                    .orElseThrow()) {
                assertThat(hold.fencingToken())
                        .as("acquisition %s without %s and %s", i, first, second)
                        .isGreaterThan(last);
                last = hold.fencingToken();
            }
            servers.get(first).resume();
            servers.get(second).resume();
        }
        awaitNothingLeft();
    }

    /** As if servers had given out tokens while their clocks were minutes ahead. */
    private void tokenClocksAreMinutesApart() throws Exception {
        connectQuorum().getLock(NAME).acquire().close();
        awaitNothingLeft();
        for (int i = 0; i < raws.size(); i++) {
            RawRedis each = raws.get(i);
            for (String key : each.list("KEYS", "holdfast:token:*")) {
                long newest = Long.parseLong(String.valueOf(each.text("GET", key)));
                each.command("SET", key, Long.toString(newest + i * 2 * MINUTE_MICROS));
            }
        }
    }
}
