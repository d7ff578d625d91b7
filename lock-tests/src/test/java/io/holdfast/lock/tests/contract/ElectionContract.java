package io.holdfast.lock.tests.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.Registration;
import io.holdfast.lock.TermEnd;
import io.holdfast.lock.tests.support.Ground;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every election must do. Two applications have candidates in it. */
abstract class ElectionContract {

    static final String NAME = "jobs:42\nnight";
    private static final String LOCK = "holdfast:{" + NAME + "}";
    private static final String RECORD = LOCK + ":leader";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final byte[] NO_TEXT = {(byte) 0xff, 0, '\r', '\n', (byte) 0xc3};

    Ground ground;
    LockClient client;
    LockClient other;
    LeaderElection election;
    LeaderElection same;

    final void begin(Ground newGround) {
        ground = newGround;
        client = connect();
        other = connect();
        election = client.getElection(NAME);
        same = other.getElection(NAME);
    }

    private LockClient connect() {
        return ground.connect(ClientOptions.builder().clientRecord(false).build())
                .clients()
                .get(0);
    }

    final void end() throws Exception {
        ground.nodes().forEach(node -> node.keys().forEach(key -> {
            if (key.startsWith("holdfast:{")) {
                node.delete(key);
            }
        }));
        ground.end();
    }

    // --- leading ---

    @Test
    void theOneThatIsElectedIsSeenByAll() throws Exception {
        assertThat(same.leader()).isEmpty();
        try (Leadership leadership = election.campaign("node 1", NO_TEXT)) {
            assertThat(leadership.id()).isEqualTo("node 1");
            assertThat(leadership.name()).isEqualTo(NAME);
            assertThat(leadership.state()).isEqualTo(HoldState.HELD);
            assertThat(leadership.validFor())
                    .as("ten seconds by default")
                    .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
            assertThat(leadership.term()).isEqualTo(leadership.fencingToken()).isPositive();
            assertThat(same.leader()).contains(new Leader("node 1", NO_TEXT, leadership.term()));
        }
        assertThat(same.leader()).isEmpty();
    }

    @Test
    void oneThatIsNotElectedWithinItsWaitLeavesTheQueue() throws Exception {
        try (Leadership leadership = election.campaign("1", bytes(""))) {
            assertThat(same.campaign("2", bytes(""), Duration.ZERO)).isEmpty();
            long startNanos = ground.nanos();
            assertThat(same.campaign("2", bytes(""), SHORT)).isEmpty();
            assertThat(Duration.ofNanos(ground.nanos() - startNanos)).isGreaterThanOrEqualTo(SHORT);
            ground.eventually(() -> assertThat(waiting()).isZero());
            assertThat(same.leader()).map(Leader::term).contains(leadership.term());
        }
        try (Leadership leadership =
                same.campaign("2", bytes(""), Duration.ZERO).orElseThrow()) {
            assertThat(leadership.id()).isEqualTo("2");
        }
    }

    @Test
    void aCancelledCampaignLeavesTheQueue() throws Exception {
        try (Leadership leadership = election.campaign("1", bytes(""))) {
            CompletableFuture<Leadership> waiting =
                    same.campaignAsync("2", bytes("")).toCompletableFuture();
            ground.eventually(() -> assertThat(waiting()).isEqualTo(1));
            waiting.cancel(true);
            ground.eventually(() -> assertThat(waiting()).isZero());
            assertThat(leadership.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void anAsynchronousCampaignLeads() {
        Leadership leadership = ground.get(election.campaignAsync("1", bytes("a")));
        assertThat(ground.get(same.leaderAsync())).map(Leader::id).contains("1");
        assertThat(ground.get(same.campaignAsync("2", bytes("b"), SHORT))).isEmpty();
        ground.get(leadership.setValueAsync(bytes("c")));
        assertThat(ground.get(same.leaderAsync())).map(Leader::value).contains(bytes("c"));
        ground.get(leadership.resignAsync());
        assertThat(ground.get(same.leaderAsync())).isEmpty();
    }

    @Test
    void anElectionAndALockOfOneNameExcludeEachOther() throws Exception {
        RLock lock = lock(other);
        try (Leadership leadership = election.campaign("1", bytes(""))) {
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(leadership.owner()).startsWith(client.id());
        }
        lock.lock();
        assertThat(same.leader()).as("the owner of the lock is no candidate").isEmpty();
        assertThat(election.campaign("1", bytes(""), SHORT)).isEmpty();
        lock.unlock();
    }

    // --- what is told of a leader ---

    @Test
    void theRecordOfATermThatIsOverDoesNotCount() throws Exception {
        election.campaign("1", bytes("a")).resign();
        assertThat(ground.nodes()).anySatisfy(node -> {
            assertThat(node.hash(RECORD)).containsEntry("id", "1");
            assertThat(node.timeToLive(RECORD))
                    .as("what a leader leaves behind is gone in an hour")
                    .isBetween(
                            Duration.ofMinutes(59).toMillis(),
                            Duration.ofHours(1).toMillis());
        });
        lock(other).lock();
        assertThat(same.leader()).isEmpty();
        lock(other).unlock();
    }

    @Test
    void aValueCanBeSetWhileTheTermLasts() throws Exception {
        Leadership leadership = election.campaign("1", bytes("a"));
        leadership.setValue(NO_TEXT);
        leadership.setValue(new byte[0]);
        assertThat(same.leader()).contains(new Leader("1", new byte[0], leadership.term()));
        leadership.resign();
        assertThatThrownBy(() -> leadership.setValue(bytes("late"))).isInstanceOf(LockNotHeldException.class);
        assertThat(same.leader()).isEmpty();
    }

    @Test
    void aLeaderWhoseLockIsGoneIsLostWhenItSpeaks() throws Exception {
        Leadership leadership = election.campaign("1", bytes("a"));
        ground.nodes().forEach(node -> node.delete(LOCK));
        assertThat(same.leader()).isEmpty();
        assertThatThrownBy(() -> leadership.setValue(bytes("b")))
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossReason())
                        .isEqualTo(LossReason.KEY_GONE));
        assertThat(leadership.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(leadership::term).isInstanceOf(LockLostException.class);
        assertThat(ground.get(ended(leadership))).isEqualTo(TermEnd.LOST);
        assertThatThrownBy(leadership::close).isInstanceOf(LockLostException.class);
        leadership.close();
        try (Leadership again = election.campaign("1", bytes("a"))) {
            assertThat(same.leader()).map(Leader::term).contains(again.term());
        }
    }

    // --- observing ---

    @Test
    void anObserverHearsOfEachChange() throws Exception {
        Seen seen = new Seen();
        try (Registration observing = same.observe(seen::add)) {
            seen.hears("nobody");
            Leadership first = election.campaign("1", bytes("a"));
            seen.hears("1 a");
            first.setValue(bytes("b"));
            seen.hears("1 b");
            Future<Leadership> second = campaign(election, "2", 1);
            first.resign();
            ground.get(second).setValue(bytes("c"));
            seen.hears("2 c");
            ground.get(second).resign();
            seen.hears("nobody");
            assertThat(seen.terms()).isSorted();
        }
        ground.eventually(() -> assertThat(ground.nodes())
                .allSatisfy(node -> assertThat(node.channels()).as("channels").isZero()));
    }

    @Test
    void anObserverHearsOfADeathWhenTheLeaseIsOver() throws Exception {
        LockOptions fixed = LockOptions.builder().lease(Duration.ofMillis(600)).build();
        Leadership leadership = client.getElection(NAME, fixed).campaign("1", bytes("a"));
        Seen seen = new Seen();
        try (Registration observing = same.observe(seen::add)) {
            seen.hears("1 a");
            ground.eventually(
                    () -> assertThat(leadership.state()).as("it is not renewed").isEqualTo(HoldState.LOST));
            long startNanos = ground.nanos();
            seen.hears("nobody");
            assertThat(Duration.ofNanos(ground.nanos() - startNanos))
                    .as("it looks when the lease is over, not at its next poll")
                    .isLessThan(Duration.ofSeconds(3));
        }
    }

    /** As after a failover to a replica that had not heard of the newest term. */
    @Tag("proof")
    @Test
    void anObserverIsNotToldOfATermThatIsOlder() throws Exception {
        Leadership old = election.campaign("old", bytes(""));
        long older = old.term();
        old.resign();
        Seen seen = new Seen();
        try (Registration observing = same.observe(seen::add);
                Leadership leadership = election.campaign("new", bytes("a"))) {
            seen.hears("new a");
            for (Ground.Node node : ground.nodes()) {
                node.setField(RECORD, "token", Long.toString(older));
                node.setField(LOCK, "token", Long.toString(older));
            }
            seen.hears("nobody");
            assertThat(same.leader()).map(Leader::term).contains(older);
            assertThat(leadership.term()).isGreaterThan(older);
        }
        assertThat(seen.terms()).hasSize(1);
    }

    @Test
    void anObserverThatThrowsHearsTheNextChange() throws Exception {
        Seen seen = new Seen();
        try (Registration broken = same.observe(leader -> {
                    seen.add(leader);
                    throw new IllegalStateException("an observer of the test");
                });
                Leadership leadership = election.campaign("1", bytes("a"))) {
            seen.hears("1 a");
            leadership.setValue(bytes("b"));
            seen.hears("1 b");
        }
    }

    @Test
    void oneThatIsClosedHearsNothingMore() throws Exception {
        Seen closed = new Seen();
        Seen open = new Seen();
        Registration observing = same.observe(closed::add);
        try (Registration staying = same.observe(open::add)) {
            closed.hears("nobody");
            observing.close();
            observing.close();
            try (Leadership leadership = election.campaign("1", bytes("a"))) {
                open.hears("1 a");
                assertThat(leadership.term()).isPositive();
            }
            open.hears("nobody");
            assertThat(closed.all).hasSize(1);
        }
    }

    @Test
    void aClientThatIsClosedEndsWhatItHas() throws Exception {
        Seen seen = new Seen();
        Leadership leadership = same.campaign("2", bytes("b"));
        same.observe(seen::add);
        seen.hears("2 b");
        CompletableFuture<Leadership> waiting =
                same.campaignAsync("3", bytes("")).toCompletableFuture();
        other.close();
        assertThatThrownBy(() -> ground.get(waiting)).isInstanceOf(LockClientClosedException.class);
        assertThat(ground.get(ended(leadership))).isEqualTo(TermEnd.LOST);
        assertThatThrownBy(() -> same.observe(seen::add))
                .isInstanceOf(LockClientClosedException.class)
                .hasMessageContaining("election 'jobs:42\\u000anight'");
        assertThatThrownBy(same::leader).isInstanceOf(LockClientClosedException.class);
        try (Leadership next = election.campaign("1", bytes(""))) {
            assertThat(next.term()).isPositive();
        }
    }

    // --- terms ---

    @Test
    void withoutOtherCandidatesALeaderIsElectedAgain() throws Exception {
        LeaderElection limited = election("short").withTermLimit(Duration.ofMillis(500));
        Leadership first = limited.campaign("1", bytes("a"));
        assertThat(first.validFor()).isLessThanOrEqualTo(Duration.ofMillis(500));
        assertThat(ground.get(ended(first))).isEqualTo(TermEnd.LIMIT_REACHED);
        assertThat(first.state()).isEqualTo(HoldState.RELEASED);
        assertThat(first.validFor()).isZero();
        try (Leadership second = limited.campaign("1", bytes("a"))) {
            assertThat(second.term()).isGreaterThan(first.fencingToken());
        }
        first.close();
        assertThatThrownBy(() -> first.setValue(bytes("b"))).isInstanceOf(LockNotHeldException.class);
    }

    @Test
    void anIncumbentKeepsItsTermByRenewal() throws Exception {
        Leadership leadership = election("short").campaign("1", bytes("a"));
        long endNanos = ground.nanos() + TimeUnit.MILLISECONDS.toNanos(1_200);
        ground.eventually(() -> assertThat(ground.nanos()).isGreaterThan(endNanos));
        assertThat(leadership.state()).isEqualTo(HoldState.HELD);
        assertThat(same.leader()).map(Leader::term).contains(leadership.term());
        leadership.resign();
        assertThat(ground.get(ended(leadership))).isEqualTo(TermEnd.RESIGNED);
    }

    @Test
    void aTermCannotBeExtendedBeyondItsLimit() throws Exception {
        try (Leadership leadership =
                election.withTermLimit(Duration.ofSeconds(30)).campaign("1", bytes(""))) {
            leadership.extend(Duration.ofSeconds(15));
            assertThatThrownBy(() -> leadership.extend(Duration.ofSeconds(31)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lease: 31 s (expected: at most what is left of the term");
        }
    }

    // --- bad input ---

    @Test
    void whatIsOutOfItsBoundsIsRefusedAndNothingIsSent() {
        assertThatThrownBy(() -> election.campaign("", bytes("")))
                .hasMessage("election 'jobs:42\\u000anight': id is empty (expected: 1 to 1024 bytes)");
        assertThatThrownBy(() -> election.campaignAsync("x".repeat(1_025), bytes("")))
                .hasMessageContaining("election 'jobs:42\\u000anight': id 'xxx");
        assertThatThrownBy(() -> election.campaign("1", new byte[65_537], LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("election 'jobs:42\\u000anight': value: 65537 bytes (expected: at most 65536)");
        assertThatThrownBy(() -> election.withTermLimit(Duration.ofMillis(9_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("election 'jobs:42\\u000anight': term limit: 9.999 s (expected: at least the lease, 10 s)");
        assertThatThrownBy(() -> election.withTermLimit(Duration.ofDays(40_000)))
                .hasMessageContaining("expected: at most");
        assertThatThrownBy(() -> election.campaign(null, bytes(""))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> election.campaign("1", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> election.campaign("1", bytes(""), null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> election.observe(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.getElection(NAME, null)).isInstanceOf(NullPointerException.class);
        assertThat(ground.nodes().get(0).keys()).noneMatch(key -> key.startsWith("holdfast:{"));
    }

    @Test
    void aValueOfFullLengthArrivesWhole() throws Exception {
        byte[] value = new byte[LeaderElection.MAX_VALUE_BYTES];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) i;
        }
        try (Leadership leadership = election.campaign("x".repeat(1_024), value)) {
            value[7] = 0;
            Leader leader = same.leader().orElseThrow();
            assertThat(leader.value()).hasSize(value.length).startsWith(0, 1, 2, 3, 4, 5, 6, 7);
            leader.value()[0] = 1;
            assertThat(leader.value()).startsWith(0, 1);
            assertThat(leader.id()).hasSize(1_024);
            assertThatThrownBy(() -> leadership.setValue(new byte[65_537]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** An election whose leases are so short that a test can outlive several. */
    final LeaderElection election(String which) {
        assertThat(which).isEqualTo("short");
        return client.getElection(
                NAME,
                LockOptions.builder().watchdogLease(Duration.ofMillis(500)).build());
    }

    /** A lock that an election of this name excludes. */
    private RLock lock(LockClient of) {
        return isQuorum() ? of.getLock(NAME) : of.getFairLock(NAME);
    }

    private boolean isQuorum() {
        return ground.nodes().size() > 1;
    }

    /** How many candidates wait: in the queue at the server, or in those of their clients. */
    private int waiting() {
        return isQuorum()
                ? client.inspect(NAME).localWaiters() + other.inspect(NAME).localWaiters()
                : client.inspect(NAME).queue().size();
    }

    /** A candidate that waits, as so many do then. */
    final Future<Leadership> campaign(LeaderElection where, String id, int waiting) {
        Future<Leadership> campaign = ground.elsewhere(() -> where.campaign(id, bytes(id)));
        ground.eventually(() -> assertThat(waiting()).isEqualTo(waiting));
        return campaign;
    }

    static CompletableFuture<TermEnd> ended(Leadership leadership) {
        return leadership.ended().toCompletableFuture();
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** What an observer was told. */
    private final class Seen {

        private final List<Optional<Leader>> all = new CopyOnWriteArrayList<>();

        void add(Optional<Leader> leader) {
            all.add(leader);
        }

        /** Waits until the last that it was told is this. */
        void hears(String what) {
            ground.eventually(() -> assertThat(all).isNotEmpty());
            ground.eventually(() -> assertThat(all.get(all.size() - 1)
                            .map(leader -> leader.id() + ' ' + new String(leader.value(), UTF_8))
                            .orElse("nobody"))
                    .isEqualTo(what));
        }

        List<Long> terms() {
            List<Long> terms = new ArrayList<>();
            all.forEach(each -> each.ifPresent(leader -> terms.add(leader.term())));
            return terms;
        }
    }
}
