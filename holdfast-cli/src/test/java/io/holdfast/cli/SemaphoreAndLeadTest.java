package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.Leader;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.testkit.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands under a permit and under a leadership, as real processes. */
class SemaphoreAndLeadTest {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private LockClient client;

    @BeforeEach
    void connect() {
        client = LockClient.connect(redis.url());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void noMoreCommandsRunThanTheLimitSays() {
        RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore("two");
        try (Tool first = Tool.start(redis.url(), "semaphore", "two", "--limit", "2", "--", "sleep", "300");
                Tool second = Tool.start(redis.url(), "semaphore", "two", "--limit", "2", "--", "sleep", "300")) {
            await().until(() -> permits.acquiredPermits() == 2);
            try (Tool third =
                    Tool.start(redis.url(), "semaphore", "two", "--limit", "2", "--wait", "0", "--", "true")) {
                assertThat(third.status()).isEqualTo(75);
            }
            Ran other = Ran.at(redis.url(), "semaphore", "two", "--limit", "3", "--", "true");
            assertThat(other.status()).isEqualTo(64);
            assertThat(other.err()).contains("--limit: 3, but it is 2");
            Ran inspect = Ran.at(redis.url(), "inspect", "two");
            assertThat(inspect.status()).isZero();
            assertThat(inspect.out()).contains("2 of 2 permits taken, 0 left");
            assertThat(first.signal("TERM").status()).isEqualTo(143);
            assertThat(second.signal("TERM").status()).isEqualTo(143);
        }
        assertThat(permits.acquiredPermits()).isZero();
    }

    @Test
    void aSignalWhileALossEndsTheCommandEndsTheCandidacy() {
        try (Tool tool = Tool.start(
                redis.url(),
                "lead",
                "ending",
                "--grace",
                "1s",
                "--lease",
                "600ms",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo ready; while :; do sleep 0.02; done")) {
            tool.printed("ready");
            assertThat(client.getLock("ending").forceUnlock()).isTrue();
            await().until(() -> tool.err().contains("the command gets TERM"));
            assertThat(tool.signal("TERM").status()).isEqualTo(143);
            assertThat(tool.err()).contains("gets KILL").doesNotContain("stands for election again");
        }
        assertThat(client.getElection("ending").leader()).isEmpty();
    }

    @Test
    void aCandidateLeadsStopsWhenItDoesNotAndStandsAgain() {
        try (Tool tool = Tool.start(
                redis.url(),
                "lead",
                "scheduler",
                "--id",
                "node-1",
                "--grace",
                "200ms",
                "--lease",
                "600ms",
                "--",
                "sh",
                "-c",
                "echo term $HOLDFAST_TOKEN.; sleep 300")) {
            tool.printed(".");
            assertThat(client.getElection("scheduler").leader().map(Leader::id)).contains("node-1");
            assertThat(client.getLock("scheduler").forceUnlock()).isTrue();
            await().until(() -> tool.out().lines().count() == 2);
            assertThat(tool.err()).contains("lost (", "stands for election again");
            assertThat(tool.out().lines().toList()).isSorted().doesNotHaveDuplicates();
            RFuture<Leadership> next = client.getElection("scheduler").campaignAsync("node-2", new byte[0]);
            await().until(() -> !client.inspect("scheduler").queue().isEmpty());
            assertThat(client.getLock("scheduler").forceUnlock()).isTrue();
            await().until(() ->
                    tool.err().lines().filter(line -> line.contains("again")).count() == 2);
            assertThat(tool.signal("TERM").status()).isEqualTo(143);
            assertThat(tool.err()).contains("ended by a signal while it held nothing");
            next.toCompletableFuture().join().resign();
        }
        await().until(() -> client.getElection("scheduler").leader().isEmpty());
    }
}
