package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.tests.harness.EventChecker;
import io.holdfast.lock.tests.support.Ground;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Party;
import io.holdfast.lock.tests.support.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * The contract of all locks. A subclass brings the locks, and what they are made of.
 *
 * <p>Parties {@code a} and {@code b} are of one application, {@code c} is of another.
 */
abstract class LockContract {

    static final String NAME = "stock:42";
    private static final long NO_KEY = -2;
    static final Duration SHORT = Duration.ofMillis(200);
    /** A lease that is over soon, and not before its grant has come on a busy machine. */
    static final Duration SHORT_LEASE = Duration.ofMillis(500);

    static final Duration LONG = Duration.ofSeconds(20);
    /** What a call may take beyond the wait that it was given: machines that run tests are busy. */
    static final Duration SLACK = Duration.ofMillis(900);

    private final LockCase lock;
    final LockForm form;

    /** Says of each failure which lock it is about. */
    @RegisterExtension
    final TestExecutionExceptionHandler naming = (test, failure) -> {
        failure.addSuppressed(new AssertionError(
                "the lock was " + test.getParent().orElse(test).getDisplayName()));
        throw failure;
    };

    /** Hears of all locks of all clients: what it is told has to be in order, in each test. */
    private final EventChecker events = new EventChecker();

    private final List<Party> parties = new ArrayList<>();

    Ground ground;
    Site client;
    Site other;
    Party a;
    Party b;
    Party c;

    LockContract(LockCase lock) {
        this.lock = lock;
        this.form = lock.form;
    }

    /** Begins a test where it takes place. The property {@code holdfast.contract} names the only lock to try. */
    final void begin(Ground newGround) {
        assumeTrue(System.getProperty("holdfast.contract", lock.name()).equals(lock.name()));
        ground = newGround;
        ClientOptions inScheme = ClientOptions.builder().lockOptions(options()).build();
        client = ground.connect(inScheme);
        other = ground.connect(inScheme);
        a = party(client, NAME, options());
        b = party(client);
        c = party(other);
    }

    final void end() throws Exception {
        parties.forEach(Party::close);
        ground.end();
        ground.eventually(events::checkAllEnded);
    }

    // --- looking ---

    @Test
    void itsHoldIsSeenOnce() throws Exception {
        a.lock();
        assertThat(namesHeld()).containsExactly(NAME);
        a.unlock();
        assertThat(namesHeld()).isEmpty();
    }

    private List<String> namesHeld() {
        return client.clients().stream()
                .flatMap(one -> one.holds().stream())
                .map(HeldLock::name)
                .toList();
    }

    // --- exclusion ---

    @Test
    void anOwnerExcludesThoseOfItsOwnClientAndOfOthers() throws Exception {
        a.lock();
        assertThat(b.tryLock()).isFalse();
        assertThat(c.tryLock()).isFalse();
        assertThat(b.tryLock(Duration.ofMillis(30))).isFalse();
        assertThat(c.tryLock(Duration.ofMillis(30), LONG)).isFalse();
        a.unlock();
        assertThat(c.tryLock()).isTrue();
        assertThat(a.tryLock()).isFalse();
        c.unlock();
    }

    @Test
    void locksOfDifferentNamesDoNotExcludeEachOther() throws Exception {
        Party elsewhere = keep(form.party(client.lock("elsewhere", options()), ground));
        a.lock();
        assertThat(elsewhere.tryLock()).isTrue();
        elsewhere.unlock();
        a.unlock();
    }

    @Test
    void noUpdateOfAGuardedCounterIsLost() throws Exception {
        Ground.Node first = ground.nodes().get(0);
        first.set("counter", "0");
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Party worker = party(i % 2 == 0 ? client : other);
            workers.add(ground.elsewhere(() -> {
                for (int round = 0; round < 20; round++) {
                    worker.lock();
                    incrementSlowly(first);
                    worker.unlock();
                }
                return null;
            }));
        }
        workers.forEach(ground::get);
        assertThat(first.value("counter")).isEqualTo("120");
        first.delete("counter");
    }

    /** Reads and writes in two steps, which only a lock can guard. */
    private void incrementSlowly(Ground.Node node) {
        long value = Long.parseLong(String.valueOf(node.value("counter")));
        ground.pause();
        node.set("counter", Long.toString(value + 1));
    }

    // --- tokens ---

    @Test
    void tokensGrowWithEveryAcquisitionAndStayOnReEntry() throws Exception {
        long last = 0;
        for (Party owner : List.of(a, b, c, a, c, b)) {
            owner.lock();
            long token = tokenClock();
            assertThat(token).isGreaterThan(last);
            owner.token().ifPresent(told -> assertThat(told).isEqualTo(token));
            if (form.reentrant()) {
                owner.lock();
                assertThat(tokenClock()).isEqualTo(token);
                owner.unlock();
                assertThat(tokenClock()).isEqualTo(token);
                owner.token().ifPresent(told -> assertThat(told).isEqualTo(token));
            }
            owner.unlock();
            last = token;
        }
    }

    @Test
    void aHandOverInsideAClientMintsATokenToo() throws Exception {
        a.lock();
        long before = tokenClock();
        Future<Boolean> waiting = ground.elsewhere(() -> b.tryLock(LONG));
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        a.unlock();
        assertThat(ground.get(waiting)).isTrue();
        assertThat(tokenClock()).isGreaterThan(before);
        assertHeld(1);
        b.unlock();
    }

    // --- leases ---

    @Test
    void anExplicitLeaseEndsByItselfAndTheOwnerIsTold() throws Exception {
        a.lock(SHORT_LEASE);
        // A reader's deadline is an even number of milliseconds (rule 130).
        assertThat(timeToLive()).isBetween(1L, SHORT_LEASE.toMillis() + 1);
        assertThat(c.tryLock(LONG)).isTrue();
        assertThat(a.holds()).isFalse();
        assertThat(a.holdCount()).isZero();
        assertThatThrownBy(a::unlock)
                .isInstanceOf(LockLostException.class)
                .extracting(failure -> ((LockLostException) failure).lossReason())
                .isEqualTo(LossReason.LEASE_EXPIRED);
        assertThat(c.holds()).isTrue();
        c.unlock();
    }

    /** Defect 7 of the peer: the new hold inherited the lease that had run out. */
    @Test
    void afterAnExpiredLeaseTheSameObjectGivesAFullFreshLease() throws Exception {
        a.lock(SHORT_LEASE);
        eventually(() -> assertThat(a.holds()).isFalse());
        a.lock();
        assertThat(timeToLive()).isGreaterThan(29_000);
        assertThat(a.holdCount()).isEqualTo(1);
        a.unlock();
    }

    @Test
    void aWatchedHoldOutlivesItsLease() throws Exception {
        LockOptions watched =
                options().toBuilder().watchdogLease(Duration.ofMillis(1_000)).build();
        Party holder = party(client, "watched", watched);
        Party rival = keep(form.party(other.lock("watched", watched), ground));
        holder.lock();
        assertThat(rival.tryLock(Duration.ofMillis(1_500))).isFalse();
        assertThat(holder.holds()).isTrue();
        holder.unlock();
        assertThat(rival.tryLock()).isTrue();
        rival.unlock();
    }

    // --- waiting ---

    @Test
    void aWaitEndsInTimeWithARefusal() throws Exception {
        a.lock();
        for (Party waiter : List.of(b, c)) {
            assertThat(millis(() -> assertThat(waiter.tryLock(SHORT)).isFalse()))
                    .isBetween(SHORT.toMillis() - 1, SHORT.plus(SLACK).toMillis());
        }
        a.unlock();
    }

    @Test
    void aTryWithoutAWaitAsksTheServerExactlyOnce() throws Exception {
        a.lock();
        a.unlock();
        c.lock();
        awaitKeyEverywhere();
        awaitRecordsOfBothClients();
        assertThat(asked(() -> assertThat(a.tryLock()).isFalse())).isEqualTo(1);
        assertThat(asked(() -> assertThat(a.tryLock(Duration.ZERO)).isFalse())).isEqualTo(1);
        assertThat(asked(
                        () -> assertThat(a.tryLock(Duration.ofMillis(-5), LONG)).isFalse()))
                .isEqualTo(1);
        c.unlock();
        assertThat(asked(() -> assertThat(a.tryLock()).isTrue())).isEqualTo(1);
        a.unlock();
    }

    @Test
    void aWaiterIsWokenByAReleaseInItsOwnClient() throws Exception {
        assertWoken(a, b);
    }

    @Test
    void aWaiterIsWokenByAReleaseInAnotherClient() throws Exception {
        assertWoken(a, c);
    }

    /** Far sooner than the poll would find out. */
    private void assertWoken(Party holder, Party waiter) throws Exception {
        holder.lock();
        Future<Boolean> waiting = ground.elsewhere(() -> waiter.tryLock(LONG));
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        eventually(() -> assertThat(subscriptions()).isPositive());
        holder.unlock();
        assertThat(millis(() -> assertThat(ground.get(waiting)).isTrue())).isLessThan(SLACK.toMillis());
        waiter.unlock();
    }

    @Test
    void aWaiterGetsTheLockWhenTheLeaseOfASilentHolderEnds() throws Exception {
        c.lock(SHORT_LEASE);
        assertThat(millis(() -> assertThat(a.tryLock(LONG)).isTrue()))
                .isLessThan(SHORT_LEASE.plus(SLACK).toMillis());
        a.unlock();
        assertThatThrownBy(c::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void aTryWithoutAWaitAnswersWhileOthersOfItsClientWait() throws Exception {
        c.lock();
        Future<Boolean> waiting = ground.elsewhere(() -> a.tryLock(LONG));
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        assertThat(millis(() -> assertThat(b.tryLock()).isFalse())).isLessThan(SLACK.toMillis());
        c.unlock();
        assertThat(ground.get(waiting)).isTrue();
        a.unlock();
    }

    // --- force, and loss ---

    @Test
    void forceFreesTheLockAndItsHolderIsTold() throws Exception {
        RLock lock = lock(client);
        assertThat(lock.forceUnlock()).isFalse();
        a.lock();
        assertThat(lock.forceUnlock()).isTrue();
        assertThat(a.holds()).isFalse();
        assertThat(lock.isLocked()).isFalse();
        assertThatThrownBy(a::unlock)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("FORCED")
                .extracting(failure -> ((LockLostException) failure).lossReason())
                .isEqualTo(LossReason.FORCED);
    }

    @Test
    void forceWakesWaitersEverywhere() throws Exception {
        a.lock();
        Future<Boolean> waiting = ground.elsewhere(() -> b.tryLock(LONG));
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        eventually(() -> assertThat(subscriptions()).isPositive());
        assertThat(lock(other).forceUnlock()).isTrue();
        assertThat(ground.get(waiting)).isTrue();
        assertThatThrownBy(a::unlock).isInstanceOf(LockLostException.class);
        assertThat(b.holds()).isTrue();
        b.unlock();
    }

    @Test
    void aReleaseAfterTheKeyHasGoneTellsTheLossAndSparesTheSuccessor() throws Exception {
        a.lock();
        deleteKey();
        c.lock();
        assertThatThrownBy(a::unlock)
                .isInstanceOf(LockLostException.class)
                .extracting(failure -> ((LockLostException) failure).lossReason())
                .isEqualTo(LossReason.KEY_GONE);
        assertThat(c.holds()).isTrue();
        assertHeld(1);
        c.unlock();
    }

    // --- questions ---

    @Test
    void questionsAreAnsweredByTheServer() throws Exception {
        RLock lock = lock(other);
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.remainTimeToLive()).isEqualTo(-2);
        a.lock(LONG);
        assertThat(lock.isLocked()).isTrue();
        assertThat(lock.remainTimeToLive()).isBetween(LONG.toMillis() - 5_000, LONG.toMillis());
        assertThat(ground.get(lock.isLockedAsync())).isTrue();
        assertThat(ground.get(lock.remainTimeToLiveAsync())).isPositive();
        ground.nodes().forEach(each -> each.persist(key()));
        assertThat(lock.remainTimeToLive()).isEqualTo(-1);
        a.unlock();
        assertThat(ground.get(lock.isLockedAsync())).isFalse();
    }

    @Test
    void eachOwnerKnowsWhatItHolds() throws Exception {
        assertThat(a.holds()).isFalse();
        assertThat(a.holdCount()).isZero();
        a.lock();
        assertThat(a.holds()).isTrue();
        assertThat(a.holdCount()).isEqualTo(1);
        assertThat(b.holds()).isFalse();
        assertThat(b.holdCount()).isZero();
        assertThat(c.holds()).isFalse();
        a.unlock();
        assertThat(a.holds()).isFalse();
    }

    // --- what is left ---

    @Test
    void aSubscriptionEndsSoonAfterTheLastWaiterHasLeft() throws Exception {
        c.lock();
        assertThat(a.tryLock(SHORT)).isFalse();
        assertThat(subscriptions()).isPositive();
        eventually(() -> assertThat(subscriptions()).isZero());
        c.unlock();
    }

    // --- helpers ---

    final LockOptions options() {
        return LockOptions.builder().keyScheme(lock.scheme).listener(events).build();
    }

    final RLock lock(Site of) {
        return of.lock(NAME, options());
    }

    final Party party(Site of) {
        return keep(form.party(lock(of), ground));
    }

    /** An owner like party a: of the kind of lock that this is about. */
    final Party party(Site of, String name, LockOptions options) {
        return keep(form.party(lock(of, name, options), ground));
    }

    /** The kind of lock that this is about; others compete for it with plain locks. */
    final RLock lock(Site of, String name, LockOptions options) {
        return lock.kind == Reentrant.KIND ? of.lock(name, options) : of.lock(name, options, lock.kind);
    }

    final Party keep(Party party) {
        parties.add(party);
        return party;
    }

    final String key() {
        return lock.scheme == KeyScheme.HOLDFAST ? "holdfast:{" + NAME + "}" : NAME;
    }

    final void eventually(ThrowingRunnable assertion) {
        ground.eventually(assertion);
    }

    /** The keys on any server that are neither token clocks or counters nor markers. */
    final List<String> lockKeys() {
        return ground.nodes().stream()
                .flatMap(node -> node.keys().stream())
                .filter(key -> !key.matches(".+:(token|client):\\{.*}|holdfast:marker|redisson_lock_token:.+"))
                .toList();
    }

    /** A majority has the hold, and no server has another; those beyond the majority may hear of a step later. */
    final void assertHeld(int count) {
        eventually(() -> {
            List<Map<String, String>> stored = new ArrayList<>();
            for (Ground.Node each : ground.nodes()) {
                Map<String, String> fields = new HashMap<>(each.hash(key()));
                fields.remove("token");
                if (!fields.isEmpty()) {
                    stored.add(fields);
                }
            }
            assertThat(stored)
                    .hasSizeGreaterThan(ground.nodes().size() / 2)
                    .allSatisfy(fields -> assertThat(fields).hasSize(1).containsValue(Integer.toString(count)));
        });
    }

    /** As if somebody had deleted the lock, once every server has it. */
    final void deleteKey() {
        awaitKeyEverywhere();
        ground.nodes().forEach(each -> keys().forEach(each::delete));
    }

    /** A server beyond the majority may be asked later. */
    private void awaitKeyEverywhere() {
        for (Ground.Node each : ground.nodes()) {
            eventually(() -> assertThat(each.timeToLive(key())).isNotEqualTo(NO_KEY));
        }
    }

    /** What a client writes of itself after its first grant is a script call too. */
    private void awaitRecordsOfBothClients() {
        for (Ground.Node each : ground.nodes()) {
            eventually(() -> assertThat(each.keys())
                    .filteredOn(key -> key.startsWith("holdfast:client:{"))
                    .hasSizeGreaterThanOrEqualTo(2));
        }
    }

    /** The keys in which the lock is kept. */
    List<String> keys() {
        return lock.kind == Reading.KIND ? List.of(key(), key() + ":readers") : List.of(key());
    }

    /** What is stored of so many levels of party {@code a}: those of a reader are known to its client only. */
    final int stored(int levels) {
        return lock.kind.isCounted() ? levels : 1;
    }

    final long timeToLive() {
        return ofMajority(each -> each.timeToLive(key()));
    }

    /** The newest token of the lock's slot. */
    private long tokenClock() {
        return ofMajority(each -> each.keys().stream()
                .filter(key -> key.startsWith("holdfast:token:{"))
                .findFirst()
                .map(clock -> Long.parseLong(String.valueOf(each.value(clock))))
                .orElse(0L));
    }

    /** The highest value that a majority of the servers has reached. */
    private long ofMajority(ToLongFunction<Ground.Node> question) {
        return median(ground.nodes().stream().mapToLong(question).toArray());
    }

    private static long median(long[] answers) {
        Arrays.sort(answers);
        return answers[(answers.length - 1) / 2];
    }

    /** How often a step has asked most of the servers for a lock. */
    private long asked(ThrowingStep step) throws Exception {
        List<Ground.Node> nodes = ground.nodes();
        long[] asked = nodes.stream().mapToLong(node -> -node.attempts()).toArray();
        step.run();
        for (int i = 0; i < asked.length; i++) {
            asked[i] += nodes.get(i).attempts();
        }
        return median(asked);
    }

    /** A wait that is not counted is seen by its subscription. */
    final int waiters() {
        return client.waiters(NAME).orElse(Math.min(1, subscriptions()))
                + other.waiters(NAME).orElse(0);
    }

    private int subscriptions() {
        return ground.nodes().stream().mapToInt(Ground.Node::channels).max().orElseThrow();
    }

    private long millis(ThrowingStep step) throws Exception {
        long start = ground.nanos();
        step.run();
        return TimeUnit.NANOSECONDS.toMillis(ground.nanos() - start);
    }

    private interface ThrowingStep {
        void run() throws Exception;
    }
}
