package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One provider for the nodes of a quorum. */
@RedisTest(servers = 3)
class QuorumCredentialsTest extends ServerTest {

    @Test
    void oneAnswerServesAllNodesThatAskMeanwhile() throws Exception {
        raws.forEach(node -> node.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "&*"));
        AtomicInteger calls = new AtomicInteger();
        CredentialsProvider provider = () -> {
            calls.incrementAndGet();
            return CompletableFuture.supplyAsync(
                    () -> Credentials.of("app", "secret"),
                    CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
        };
        ClientOptions options = Clients.quick().credentials(provider).build();
        LockClient quorum = closing(LockClient.connectQuorum(
                servers.stream().map(RedisServer::url).toList(), options, QuorumOptions.defaults()));
        assertThat(calls).hasValue(1);
        try (LockHold hold = quorum.getLock("job").acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }
}
