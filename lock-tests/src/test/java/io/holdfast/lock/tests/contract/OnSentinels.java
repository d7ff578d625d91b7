package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.support.ServerGround;
import io.holdfast.lock.tests.support.SharedSentinelGroup;
import io.holdfast.lock.tests.support.Site;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A contract that is held where Sentinels say which server has the locks. */
@ExtendWith(SharedSentinelGroup.class)
interface OnSentinels {

    @BeforeEach
    default void open(SentinelGroup group) {
        ((LockContract) this)
                .begin(new ServerGround(
                        List.of(group.primary()), options -> Site.of(LockClient.connect(group.url(), options))));
    }

    @AfterEach
    default void close(SentinelGroup group) throws Exception {
        LockContract contract = (LockContract) this;
        contract.end();
        contract.eventually(() -> assertThat(group.sentinels()).allSatisfy(OnSentinels::isLeft));
    }

    private static void isLeft(RedisServer sentinel) {
        try (RawRedis raw = sentinel.connect()) {
            assertThat(raw.clients())
                    .extracting(client -> client.get("name"))
                    .noneMatch(name -> name.startsWith("holdfast"));
        }
    }
}
