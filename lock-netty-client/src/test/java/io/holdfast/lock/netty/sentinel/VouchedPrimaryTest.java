package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.assertNotMoved;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Vouching;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 88: for which primary a majority of all Sentinels vouches, whichever links go to. */
@Tag("proof")
class VouchedPrimaryTest {

    private static final long NONE = Vouching.NO_EPOCH;

    /** So long that no answer runs out in a test. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final Duration SHORT = Duration.ofSeconds(3);

    /** What a client may go by, and what it was told of. */
    private static final class Guard {

        private final Vouching vouching;
        private final List<Long> told = new CopyOnWriteArrayList<>();

        Guard(ClientNode node, Duration silence) {
            vouching = node.node.vouching(silence.toNanos());
            vouching.listen(() -> told.add(vouching.epoch()));
        }

        void awaitEpoch(long epoch) {
            await().atMost(PATIENCE).until(() -> vouching.epoch() == epoch);
        }
    }

    private final ScriptedGroup group = ScriptedGroup.of(3);
    /** A client of the group; null if a test makes its own. */
    private ClientNode node;

    /** Connects, and has all Sentinels vouch for the first server in epoch 1. */
    private Guard guard(Duration silence) {
        node = group.connect();
        Guard guard = new Guard(node, silence);
        guard.awaitEpoch(1);
        return guard;
    }

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
        group.close();
    }

    @Test
    void aMajorityOfAllVouchesUntilItHasBeenSilentForLong() {
        Guard guard = guard(SHORT);
        group.get(0).hang();
        group.awaitRounds(group.get(1));
        assertThat(guard.vouching.epoch()).isEqualTo(1);
        group.get(1).refuse();
        guard.awaitEpoch(NONE);
        await().atMost(PATIENCE).until(() -> guard.told.contains(NONE));
        group.awaitRounds(group.get(2));
        assertThat(guard.vouching.epoch()).isEqualTo(NONE);
        assertThat(guard.vouching.untilNanos(1)).isLessThan(System.nanoTime());
        group.get(0).goOn();
        guard.awaitEpoch(1);
        await().atMost(PATIENCE).until(() -> guard.told.get(guard.told.size() - 1) == 1);
        assertNotMoved(node);
    }

    @Test
    void oneThatAnswersAloneLeadsLinksAndVouchesForNothing() {
        Guard guard = guard(LONG);
        group.get(1).refuse();
        group.get(2).refuse();
        group.get(0).names(group.two, 2);
        group.get(0).tell(group.message());
        awaitAnswer(node, "two");
        group.awaitRounds(group.get(0));
        assertThat(guard.vouching.epoch()).isEqualTo(NONE);
        group.get(1).names(group.two, 2);
        group.get(1).refuseNoMore();
        guard.awaitEpoch(2);
    }

    @Test
    void theNewEpochIsVouchedForBeforeListenersHearOfTheConnection() {
        Guard guard = guard(LONG);
        List<Long> whenUp = new CopyOnWriteArrayList<>();
        node.node.listen(new NodeListener() {
            @Override
            public void up(String address, ServerRun run) {
                whenUp.add(guard.vouching.epoch());
            }

            @Override
            public void down(String address, Fault fault) {}
        });
        group.failOver();
        awaitAnswer(node, "two");
        assertThat(whenUp).containsExactly(1L, 2L);
        assertThat(guard.told).endsWith(NONE, 2L);
        assertThat(guard.vouching.untilNanos(1)).isLessThan(System.nanoTime());
    }

    /**
     * One Sentinel has named it in an earlier round, and is slow in the next: so a majority of all names it before the round
     * says where to go.
     */
    @Test
    void whatAClientSendsWhenItHearsOfTheNewEpochGoesToTheNewPrimary() {
        Guard guard = guard(LONG);
        CompletableFuture<Probe> sent = new CompletableFuture<>();
        guard.vouching.listen(() -> {
            if (guard.vouching.epoch() == 2) {
                sent.complete(node.echo("where"));
            }
        });
        group.get(0).names(group.two, 2);
        group.awaitRounds(group.get(1));
        group.get(0).isFarAway(Duration.ofMillis(300));
        group.get(2).isFarAway(Duration.ofMillis(300));
        group.get(1).names(group.two, 2);
        Probe first = sent.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(first.await()).isEqualTo("two");
    }

    /** A standing connection may have survived that its server was a replica for a while. */
    @Test
    void theSamePrimaryInAHigherEpochIsVouchedForOnAnotherConnection() {
        Guard guard = guard(LONG);
        group.all(each -> each.names(group.one, 3));
        group.get(0).tell(group.message());
        guard.awaitEpoch(3);
        await().atMost(PATIENCE).until(() -> node.news.size() == 3);
        guard.awaitEpoch(3);
    }

    /** Calls wait for the connection, and their answers count if it leads to what is named. */
    @Test
    void aConnectionThatIsLostMakesNoDifference() throws Exception {
        try (ClientNode node = group.connect(ClientNode.options()
                .backoffMin(Duration.ofHours(1))
                .backoffMax(Duration.ofHours(1))
                .build())) {
            Guard guard = new Guard(node, LONG);
            guard.awaitEpoch(1);
            group.one.close();
            group.one.cutAll();
            await().atMost(PATIENCE).until(() -> node.news.size() == 2);
            group.awaitRounds(group.get(0));
            assertThat(guard.vouching.epoch()).isEqualTo(1);
            group.failOver();
            guard.awaitEpoch(2);
            assertThat(guard.told).endsWith(NONE, 2L).containsOnlyOnce(NONE);
        }
    }

    @Test
    void anEpochThatIsLoweredIsNeverVouchedForWhereverLinksGo() {
        try (Logs logs = new Logs()) {
            group.all(each -> each.names(group.one, 5));
            try (ClientNode node = group.connect()) {
                Guard guard = new Guard(node, SHORT);
                guard.awaitEpoch(5);
                group.all(each -> each.names(group.one, 4));
                guard.awaitEpoch(NONE);
                assertNotMoved(node);
                group.all(each -> each.names(group.two, 4));
                awaitAnswer(node, "two");
                await().atMost(PATIENCE)
                        .until(() -> logs.ours(Level.WARN).stream().anyMatch(line -> line.contains("in epoch 4,")));
                assertThat(logs.ours(Level.WARN)).anySatisfy(line -> assertThat(line)
                        .contains(
                                "Sentinels of orders name 127.0.0.1:",
                                "have named 127.0.0.1:" + group.one.port() + " in epoch 5",
                                "no lock is granted"));
                assertThat(guard.told).doesNotContain(4L);
                group.all(each -> each.names(group.two, 6));
                guard.awaitEpoch(6);
                await().atMost(PATIENCE)
                        .until(() -> logs.ours(Level.INFO).contains("Sentinels of orders vouch for the primary again"));
            }
        }
    }

    @Test
    void asManyAreAllAsAnyOfThemKnows() {
        try (Logs logs = new Logs()) {
            group.get(0).countsOthers(5);
            try (ClientNode node = group.connect()) {
                Guard guard = new Guard(node, SHORT);
                await().atMost(PATIENCE).until(() -> logs.ours(Level.WARN).stream()
                        .anyMatch(line -> line.startsWith("Of 6 Sentinels of orders 3 have named 127.0.0.1:"
                                + group.one.port() + " in one epoch within 3000 ms (expected: 4)")));
                assertThat(guard.told).isEmpty();
                group.get(0).countsOthers(4);
                guard.awaitEpoch(1);
            }
        }
    }

    @Test
    void aSentinelUnderTwoAddressesHasOneVoice() {
        ScriptedSentinel twice = group.get(0);
        group.get(1).hang();
        group.get(2).hang();
        String alias = "localhost:" + twice.address().port();
        String url = group.url().replace("/" + ScriptedGroup.NAME, "," + alias + "/" + ScriptedGroup.NAME);
        try (ClientNode node = ClientNode.connect(url, ClientNode.options().build())) {
            Guard guard = new Guard(node, LONG);
            await().atMost(PATIENCE).until(() -> twice.connections() == 2 && twice.hasListener());
            group.awaitRounds(twice);
            assertThat(guard.vouching.epoch()).isEqualTo(NONE);
            group.get(1).goOn();
            guard.awaitEpoch(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-ERR unknown command\r\n", "-NOPERM this user has no permissions\r\n"})
    void oneThatDoesNotSayWhoItIsHasNoVoiceAndTheLogSaysSo(String refusal) {
        try (Logs logs = new Logs()) {
            group.get(0).says(ScriptedSentinel.OWN_ID, refusal);
            group.get(1).says(ScriptedSentinel.OWN_ID, refusal);
            try (ClientNode node = group.connect()) {
                Guard guard = new Guard(node, SHORT);
                await().atMost(PATIENCE).until(() -> logs.ours(Level.WARN).stream()
                        .anyMatch(line -> line.contains(
                                "; 2 that name a primary have no voice, since they do" + " not answer SENTINEL MYID")));
                assertThat(guard.vouching.epoch()).isEqualTo(NONE);
                group.get(1).answersAsBefore(ScriptedSentinel.OWN_ID);
                guard.awaitEpoch(1);
            }
        }
    }

    /** Its answers may be as old as its questions. */
    @Test
    void whatIsFarAwayCountsFromWhenItWasAsked() {
        Duration way = Duration.ofMillis(700);
        group.all(each -> each.isFarAway(way));
        try (ClientNode node = group.connect()) {
            Guard guard = new Guard(node, LONG);
            guard.awaitEpoch(1);
            for (int i = 0; i < 3; i++) {
                int before = group.get(0).rounds();
                await().atMost(PATIENCE).until(() -> group.get(0).rounds() > before);
                long until = guard.vouching.untilNanos(1);
                assertThat(until - System.nanoTime())
                        .isPositive()
                        .isLessThanOrEqualTo(LONG.minus(way).toNanos());
            }
        }
    }

    /** Rounds a second apart would leave a hole after each. */
    @Test
    void whereAnswersCountForLessThanASecondTheyAreAskedForMoreOften() {
        Duration silence = Duration.ofMillis(900);
        Guard guard = guard(silence);
        // However slow the machine is: sooner or later four answers follow one another within the silence.
        await().atMost(PATIENCE).until(() -> {
            int before = group.get(0).rounds();
            long began = System.nanoTime();
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> group.get(0).rounds() >= before + 4);
            return System.nanoTime() - began < 4 * silence.toNanos() / 2;
        });
    }

    @Test
    void aLazyNodeConnectsWhenItIsAskedForTheEpoch() {
        try (ClientNode node = ClientNode.lazy(group.url(), ClientNode.options().build())) {
            Vouching vouching = node.node.vouching(LONG.toNanos());
            assertThat(group.sentinels)
                    .allSatisfy(each -> assertThat(each.connections()).isZero());
            await().atMost(PATIENCE).until(() -> vouching.epoch() == 1);
            await().atMost(PATIENCE).until(() -> node.news.size() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://h1", "redis-replicas://h1,h2:6380", "unix:///run/redis.sock"})
    void whereThereAreNoSentinelsThereIsNoVouching(String url) {
        try (ClientNode node = ClientNode.lazy(url, ClientNode.options().build())) {
            assertThatThrownBy(() -> node.node.vouching(1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("failoverGuard: " + node.node.describe()
                            + " has no Sentinels that say which server is the primary (expected: a redis-sentinel://"
                            + " address)");
        }
    }
}
