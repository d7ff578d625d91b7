package io.holdfast.lock.tests.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.Registration;
import io.holdfast.lock.TermEnd;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elections of real servers in trouble: one leader at a time, whom all know, and nothing left behind. */
@RedisTest
class ElectionFaultsTest {

    private static final String LOCK = "holdfast:{jobs}";
    private static final String RECORD = LOCK + ":leader";
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Optional<Leader>> seen = new CopyOnWriteArrayList<>();
    private FaultProxy proxy;
    private LockClient client;
    private LockClient other;
    private LeaderElection election;
    private LeaderElection same;

    @BeforeEach
    void connect(RedisServer redis) {
        proxy = FaultProxy.to(redis);
        client = Clients.connect(proxy.url());
        other = Clients.connect(redis.url());
        election = client.getElection("jobs", Clients.watchdog(LEASE));
        same = other.getElection("jobs", Clients.watchdog(LEASE));
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        proxy.close();
    }

    // --- proclaiming ---

    @Test
    void aProclamationWhoseAnswerWasLostIsRepeated() throws Exception {
        AtomicBoolean lost = loseTheNextYes();
        try (Leadership leadership = election.campaign("1", bytes("a"))) {
            assertThat(lost).isTrue();
            assertThat(same.leader()).contains(new Leader("1", bytes("a"), leadership.term()));
        }
    }

    @Test
    void aValueWhoseAnswerWasLostIsSetOnce() throws Exception {
        try (Leadership leadership = election.campaign("1", bytes("a"))) {
            AtomicBoolean lost = loseTheNextYes();
            leadership.setValue(bytes("b"));
            assertThat(lost).isTrue();
            assertThat(same.leader()).map(leader -> text(leader.value())).contains("b");
        }
    }

    /** The connection ends in place of the next answer that is a number and 1. */
    private AtomicBoolean loseTheNextYes() {
        AtomicBoolean lost = new AtomicBoolean();
        proxy.onReply(
                reply -> reply.text().matches("(?s)\\*2\\r\\n:\\d+\\r\\n:1\\r\\n.*") && lost.compareAndSet(false, true)
                        ? FrameFate.cutAfter(0)
                        : FrameFate.PASS);
        return lost;
    }

    @Test
    void aLateCopyOfAnEarlierValueChangesNothing(RawRedis raw) throws Exception {
        try (Leadership leadership = election.campaign("1", bytes("a"))) {
            leadership.setValue(bytes("b"));
            assertThat(raw.text("HGET", RECORD, "version")).isEqualTo("2");
            raw.command("HSET", RECORD, "version", "3", "value", "c");
            leadership.setValue(bytes("late"));
            assertThat(same.leader()).map(leader -> text(leader.value())).contains("c");
        }
    }

    /** It has not heard of its loss yet. */
    @Test
    void aLeaderThatWasForcedOutDoesNotNameTheNext() throws Exception {
        LeaderElection patient = client.getElection("jobs", Clients.watchdog(Duration.ofSeconds(30)));
        Leadership late = patient.campaign("late", bytes("a"));
        assertThat(other.getFairLock("jobs").forceUnlock()).isTrue();
        try (Leadership next = same.campaign("next", bytes("b"))) {
            assertThatThrownBy(() -> late.setValue(bytes("c"))).isInstanceOf(LockLostException.class);
            assertThat(other.getElection("jobs").leader()).contains(new Leader("next", bytes("b"), next.term()));
        }
    }

    @Test
    void proclaimingWorksWithForgottenScriptsAndWithMemoryFull(RawRedis raw) throws Exception {
        try (Leadership leadership = election.campaign("1", bytes("a"))) {
            raw.command("SCRIPT", "FLUSH");
            leadership.setValue(bytes("b"));
            raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            raw.command("CONFIG", "SET", "maxmemory", "1");
            leadership.setValue(bytes("c"));
            assertThat(same.leader()).map(leader -> text(leader.value())).contains("c");
            leadership.resign();
            assertThatThrownBy(() -> same.campaign("2", bytes("")))
                    .isInstanceOfSatisfying(LockServerException.class, full -> assertThat(full.reason())
                            .isEqualTo(FailureReason.OOM));
        } finally {
            raw.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    // --- deaths ---

    @Tag("proof")
    @Test
    void aDeadLeaderIsFollowedWhenItsLeaseIsOver(RedisServer redis) throws Exception {
        try (Registration observing = same.observe(seen::add);
                ChildJvm leader = ChildJvm.start(HolderProgram.class, redis.url())) {
            leader.hear("ready");
            long term = Long.parseLong(leader.ask("lead jobs doomed 1000"));
            awaitLast("doomed");
            Background<Leadership> next = Background.call(() -> election.campaign("next", bytes("")));
            await().until(() -> client.inspect("jobs").queue().size() == 1);
            leader.close();
            long diedNanos = System.nanoTime();
            try (Leadership leadership = next.result()) {
                assertThat(Duration.ofNanos(System.nanoTime() - diedNanos))
                        .as("a lease, and a look")
                        .isLessThan(LEASE.plusSeconds(3));
                assertThat(leadership.term()).isGreaterThan(term);
                awaitLast("next");
            }
            awaitLast("nobody");
            assertThat(terms()).isSorted().contains(term);
        }
    }

    @Tag("proof")
    @Test
    void aLeaderThatStoodStillHasLostItsTerm(RedisServer redis) throws Exception {
        try (ChildJvm leader = ChildJvm.start(HolderProgram.class, redis.url())) {
            leader.hear("ready");
            leader.ask("lead jobs stopped 1000");
            leader.pause();
            try (Leadership next = election.campaign("next", bytes(""))) {
                leader.resume();
                assertThat(leader.ask("state")).isEqualTo("LOST");
                assertThat(same.leader()).map(Leader::term).contains(next.term());
            }
        }
    }

    @Test
    void aServerThatLostItsDataHasNoLeader(RedisServer redis) throws Exception {
        Leadership lost = election.campaign("1", bytes("a"));
        try (Registration observing = same.observe(seen::add)) {
            awaitLast("1");
            redis.kill();
            redis.restart();
            assertThat(lost.ended().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(TermEnd.LOST);
            awaitLast("nobody");
            try (Leadership next = election.campaign("1", bytes("b"))) {
                awaitLast("1");
                assertThat(terms()).isSorted().endsWith(next.term());
            }
        }
    }

    // --- observers ---

    @Test
    void aLeaderThatIsProclaimedIsToldAtOnce(RawRedis raw) throws Exception {
        try (Registration observing = looked(raw)) {
            long startNanos = System.nanoTime();
            try (Leadership leadership = election.campaign("1", bytes(""))) {
                awaitLast("1");
                leadership.setValue(bytes("x"));
                await().until(() -> seen.get(seen.size() - 1).orElseThrow().value().length == 1);
            }
            awaitLast("nobody");
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                    .as("by messages, and not by polls")
                    .isLessThan(Duration.ofSeconds(3));
        }
    }

    /** An observer that has looked when it came, and when its subscriptions were confirmed. */
    private Registration looked(RawRedis raw) {
        long before = raw.calls("evalsha");
        Registration observing = same.observe(seen::add);
        await().until(() -> raw.calls("evalsha") >= before + 2);
        return observing;
    }

    @Test
    void aMessageThatIsLostIsMadeUpForByTheReconnect(RawRedis raw) throws Exception {
        try (Registration observing = election.observe(seen::add)) {
            awaitLast("nobody");
            await().until(() -> raw.list("PUBSUB", "CHANNELS").size() == 2);
            proxy.refuse();
            proxy.cutAll();
            await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
            try (Leadership leadership = same.campaign("1", bytes(""))) {
                proxy.heal();
                awaitLast("1");
                assertThat(leadership.term()).isPositive();
            }
        }
    }

    @Test
    void anObserverThatTakesItsTimeHearsTheNewestAndDelaysNoOther() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        List<Optional<Leader>> slow = new CopyOnWriteArrayList<>();
        try (Registration first = same.observe(leader -> {
                    slow.add(leader);
                    awaitQuietly(goOn);
                });
                Registration second = same.observe(seen::add);
                Leadership leadership = election.campaign("1", bytes("0"))) {
            for (int value = 1; value <= 5; value++) {
                String text = Integer.toString(value);
                leadership.setValue(bytes(text));
                await().until(() -> last(seen).endsWith(' ' + text));
            }
            assertThat(slow).hasSize(1);
            goOn.countDown();
            await().until(() -> last(slow).endsWith(" 5"));
            assertThat(slow).hasSize(2);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anObserverThatClosesItselfAndOneOfAClosedClientLeaveNothing(RawRedis raw) throws Exception {
        Registration[] own = new Registration[1];
        CountDownLatch made = new CountDownLatch(1);
        own[0] = same.observe(leader -> {
            awaitQuietly(made);
            own[0].close();
            seen.add(leader);
        });
        made.countDown();
        awaitLast("nobody");
        await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
        election.observe(seen::add);
        await().until(() -> raw.list("PUBSUB", "CHANNELS").size() == 2);
        client.close();
        await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
    }

    // --- callers ---

    @Test
    void anInterruptEndsACampaignAndLeavesNothing(RawRedis raw) throws Exception {
        try (Leadership leadership = same.campaign("1", bytes(""))) {
            Background<Leadership> waiting = Background.call(() -> election.campaign("2", bytes("")));
            await().until(() -> client.inspect("jobs").queue().size() == 1);
            waiting.interrupt();
            assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);
            await().until(() -> client.inspect("jobs").queue().isEmpty());
            await().until(() -> raw.list("PUBSUB", "CHANNELS").isEmpty());
            assertThat(leadership.term()).isPositive();
        }
        Background<Leadership> late = Background.call(() -> {
            Thread.currentThread().interrupt();
            return election.campaign("2", bytes(""));
        });
        assertThatThrownBy(late::result).isInstanceOf(InterruptedException.class);
        assertThat(raw.integer("EXISTS", LOCK)).isZero();
    }

    @Test
    void anInterruptBetweenElectionAndProclamationGivesTheLockBack(RawRedis raw) throws Exception {
        AtomicBoolean elected = new AtomicBoolean();
        proxy.onReply(reply ->
                reply.text().matches("(?s)\\*2\\r\\n:\\d+\\r\\n:1\\r\\n.*") && elected.compareAndSet(false, true)
                        ? FrameFate.DROP
                        : FrameFate.PASS);
        Background<Leadership> campaign = Background.call(() -> election.campaign("1", bytes("")));
        await().untilTrue(elected);
        campaign.interrupt();
        assertThatThrownBy(campaign::result).isInstanceOf(InterruptedException.class);
        await().until(() -> raw.integer("EXISTS", LOCK) == 0);
        assertThat(same.leader()).isEmpty();
    }

    // --- bad input ---

    @Test
    void aKeyThatHoldsSomethingElseIsNamed(RawRedis raw) throws Exception {
        raw.command("SET", RECORD, "precious");
        assertWrongType(election::leader);
        assertWrongType(() -> election.campaign("1", bytes("")));
        await("what was granted is given back").until(() -> raw.integer("EXISTS", LOCK) == 0);
        assertThat(raw.text("GET", RECORD)).isEqualTo("precious");
        raw.command("DEL", RECORD);
        raw.command("HSET", RECORD, "price", "12");
        assertThatThrownBy(election::leader)
                .hasMessageContaining(RECORD + " holds a hash (expected: the leader of an election)");
        try (Registration observing = election.observe(seen::add)) {
            raw.command("DEL", RECORD);
            awaitLast("nobody");
        }
    }

    private static void assertWrongType(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(LockServerException.class, wrong -> {
                    assertThat(wrong.reason()).isEqualTo(FailureReason.WRONGTYPE);
                    assertThat(wrong.name()).hasValue("jobs");
                })
                .hasMessageContaining("election 'jobs'")
                .hasMessageContaining(RECORD + " holds a string (expected: the leader of an election)");
    }

    @Test
    void namesAndSchemesThatAreImpossibleAreRefused(RedisServer redis) {
        assertThatThrownBy(() -> client.getElection("")).hasMessageContaining("election name is empty");
        assertThatThrownBy(() -> client.getElection("x".repeat(1_025))).hasMessageContaining("election name 'xxx");
        assertThatThrownBy(() -> client.getElection(null)).isInstanceOf(NullPointerException.class);
        LockOptions shared = LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        assertThatThrownBy(() -> client.getElection("jobs", shared))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll(
                        "election 'jobs', " + redis.host(),
                        "with the key scheme REDISSON, Redisson has no such object");
        QuorumOptions withoutTokens = QuorumOptions.builder().fencing(false).build();
        try (LockClient quorum =
                LockClient.connectQuorum(List.of(redis.url()), ClientOptions.defaults(), withoutTokens)) {
            assertThatThrownBy(() -> quorum.getElection("jobs"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("election 'jobs': fencing tokens are switched off in its QuorumOptions");
        }
    }

    // --- what was seen ---

    private void awaitLast(String id) {
        await().atMost(PATIENCE)
                .until(() -> !seen.isEmpty() && last(seen).split(" ", 2)[0].equals(id));
    }

    private static String last(List<Optional<Leader>> all) {
        return all.get(all.size() - 1)
                .map(leader -> leader.id() + ' ' + text(leader.value()))
                .orElse("nobody");
    }

    private List<Long> terms() {
        List<Long> terms = new ArrayList<>();
        seen.forEach(each -> each.ifPresent(leader -> terms.add(leader.term())));
        return terms;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
