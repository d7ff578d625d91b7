package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The record of a client whose process was killed. */
@Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledClientTest extends ServerTest {

    @Test
    @Tag("proof")
    void whatWasWrittenStaysForNinetySecondsAtMost() throws Exception {
        String key = recordOfAKilledClient();
        long left = raw.integer("PTTL", key);
        assertThat(left).isBetween(1L, 90_000L);
        eventually(() -> assertThat(raw.integer("PTTL", key)).isLessThan(left - 500));
        assertThat(processOfHolder()).isPresent();
        raw.command("PEXPIRE", key, "1");
        eventually(() -> assertThat(processOfHolder()).isEmpty());
        raw.command("DEL", "holdfast:{stock}");
    }

    @Test
    @Tag("long")
    void afterNinetySecondsItIsGone() throws Exception {
        String key = recordOfAKilledClient();
        eventually(Duration.ofSeconds(91), () -> assertThat(raw.integer("EXISTS", key))
                .isZero());
        raw.command("DEL", "holdfast:{stock}");
    }

    private String recordOfAKilledClient() throws Exception {
        try (ChildJvm child = ChildJvm.start(Holder.class, redis.url())) {
            String key = "holdfast:client:{" + child.hear("holds ") + "}";
            eventually(() -> assertThat(raw.integer("EXISTS", key)).isEqualTo(1));
            return key;
        }
    }

    private Optional<Long> processOfHolder() {
        LockClient client = connect();
        try {
            return client.inspect("stock").holders().get(0).client().map(ClientInfo::processId);
        } finally {
            client.close();
        }
    }

    /** Takes a lock for ten minutes, says so, and waits to be killed. */
    static final class Holder {

        public static void main(String[] arguments) throws Exception {
            LockClient client = LockClient.connect(arguments[0]);
            client.getLock("stock").withLease(Duration.ofMinutes(10)).lock();
            System.out.println("holds " + client.id());
            System.in.read();
        }
    }
}
