package io.holdfast.lock.netty.topology;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That no messages arrive is said in the log, with what follows. */
@Tag("proof")
@RedisTest
class SilenceTest {

    @Test
    void itIsSaidOnceForAllLocks(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "resetchannels");
        try (Logs logs = new Logs();
                LockClient holder = LockClient.connect(redis.url());
                LockClient deaf = LockClient.connect(redis.url().replace("redis://", "redis://app:secret@"))) {
            List<LockHold> holds = new ArrayList<>();
            List<RFuture<LockHold>> waiters = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                holds.add(holder.getLock(name).acquire());
                waiters.add(deaf.getLock(name).acquireAsync());
            }
            await().until(() -> !said(logs).isEmpty());
            holds.forEach(LockHold::close);
            for (RFuture<LockHold> waiter : waiters) {
                waiter.get(5, SECONDS).close();
            }

            assertThat(said(logs)).singleElement().asString().contains("250 ms to 1 s");
        }
    }

    private static List<String> said(Logs logs) {
        return logs.ours(Level.WARN).stream()
                .filter(line -> line.contains("no messages arrive"))
                .toList();
    }
}
