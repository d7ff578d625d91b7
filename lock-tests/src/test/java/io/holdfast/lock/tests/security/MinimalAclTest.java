package io.holdfast.lock.tests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.Leader;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.NarrowUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A user with the rights of {@link MinimalAcl} can do all that the library does, and what the page says beside it. */
class MinimalAclTest {

    private static final String PASSWORD = "p:4/ss@word";

    /** The first of them serves the tests of one server. */
    private static List<RedisServer> nodes;

    private static RedisServer redis;

    @BeforeAll
    static void startServers() {
        nodes = IntStream.range(0, 3).mapToObj(node -> RedisServer.start()).toList();
        redis = nodes.get(0);
        for (RedisServer node : nodes) {
            try (RawRedis admin = node.connect()) {
                admin.command(MinimalAcl.rule("app", PASSWORD, MinimalAcl.commands()));
            }
        }
    }

    @AfterAll
    static void stopServers() {
        nodes.forEach(RedisServer::close);
    }

    @Test
    void theDocumentedRulesAreTheGeneratedOnes() throws Exception {
        List<Set<String>> documented = new ArrayList<>();
        Matcher rules = Pattern.compile("ACL SETUSER[^`]*").matcher(Files.readString(Path.of("..", "docs", "acl.md")));
        while (rules.find()) {
            documented.add(Pattern.compile("(?<!&)\\+(\\S+)")
                    .matcher(rules.group())
                    .results()
                    .map(right -> right.group(1))
                    .collect(Collectors.toSet()));
        }
        assertThat(documented)
                .containsExactly(
                        MinimalAcl.commands(),
                        MinimalAcl.narrowCommands(),
                        MinimalAcl.commandsForReplicas(),
                        MinimalAcl.commandsForDisks(),
                        MinimalAcl.commandsForClusters(),
                        MinimalAcl.commandsForOldClusters(),
                        MinimalAcl.sentinelCommands());
    }

    @Test
    @Tag("proof")
    void replicasConfirmForThatUserWithOneRightMore() throws Exception {
        try (ReplicatedPair pair = ReplicatedPair.start(1, builder -> builder.aof(true))) {
            assertConfirm(
                    pair,
                    ClientOptions.builder().waitForReplicas(1, Duration.ofSeconds(20)),
                    MinimalAcl.commandsForReplicas());
            if (pair.primary().version().isAtLeast(7, 2)) {
                assertConfirm(
                        pair,
                        ClientOptions.builder().waitForReplicasOnDisk(1, Duration.ofSeconds(20)),
                        MinimalAcl.commandsForDisks());
            }
        }
    }

    private static void assertConfirm(ReplicatedPair pair, ClientOptions.Builder options, Set<String> rights)
            throws Exception {
        try (RawRedis admin = pair.primary().connect()) {
            admin.command("ACL", "DELUSER", "app");
            admin.command(MinimalAcl.rule("app", PASSWORD, MinimalAcl.commands()));
            try (LockClient client = LockClient.connect(url(pair.primary()), options.build())) {
                RLock lock = client.getLock("acl");
                assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(LockException.class);
                rights.forEach(right -> admin.command("ACL", "SETUSER", "app", "+" + right));
                await().atMost(Duration.ofSeconds(20))
                        .ignoreExceptionsInstanceOf(LockException.class)
                        .untilAsserted(() -> lock.acquire().close());
            }
        }
    }

    @Test
    void everythingWorksForThatUser() throws Exception {
        everythingWorks(url(redis));
    }

    @Test
    void everythingWorksForTheNarrowUser() throws Exception {
        everythingWorks(NarrowUser.url(redis));
    }

    private static void everythingWorks(String url) throws Exception {
        try (LockClient client = LockClient.connect(url);
                LockClient other = LockClient.connect(url)) {
            RLock lock = client.getLock("acl");
            lock.lock();
            lock.lock();
            lock.unlock();
            assertThat(lock.isLocked()).isTrue();
            assertThat(client.inspect("acl").holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.holdCount()).isEqualTo(1));
            Thread waiter = new Thread(() -> other.getLock("acl").lock());
            waiter.start();
            await().until(() -> other.inspect("acl").subscribedProcesses() == 1);
            lock.unlock();
            waiter.join(TimeUnit.SECONDS.toMillis(2));
            assertThat(waiter.isAlive()).isFalse();
            assertThat(lock.forceUnlock()).isTrue();
            try (LockHold hold = lock.acquire()) {
                hold.extend(Duration.ofMinutes(1));
                FencedValue value = client.getFencedValue("acl");
                assertThat(value.set("new", hold.fencingToken())).isTrue();
                assertThat(value.get()).contains("new");
            }
            fairLocksAndConditionsWork(client.getFairLock("acl"), other.getFairLock("acl"));
            bothHalvesWork(client.getReadWriteLock("acl"), other.getReadWriteLock("acl"));
            RCountDownLatch latch = client.getCountDownLatch("acl");
            assertThat(latch.trySetCount(1)).isTrue();
            other.getCountDownLatch("acl").countDown();
            latch.await();
            assertThat(latch.delete()).isTrue();
            RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("acl");
            slots.setPermits(2);
            List<String> both = slots.acquire(2);
            RFuture<String> next = other.getPermitExpirableSemaphore("acl").acquireAsync();
            await().until(() -> other.waiters().size() == 1);
            assertThat(slots.updateLeaseTime(both.get(0), 1, TimeUnit.MINUTES)).isTrue();
            slots.release(both.get(0));
            String got = next.get(2, TimeUnit.SECONDS);
            slots.addPermits(1);
            slots.release(List.of(got, both.get(1)));
            assertThat(slots.availablePermits()).isEqualTo(3);
            try (Leadership leadership = client.getElection("acl").campaign("1", new byte[0])) {
                leadership.setValue(new byte[1]);
                assertThat(other.getElection("acl").leader()).map(Leader::term).contains(leadership.term());
            }
            long sent = client.getSignal("acl").send();
            assertThat(other.getSignal("acl").await(0, Duration.ofSeconds(2))).hasValue(sent);
        }
    }

    private static void fairLocksAndConditionsWork(RLock ours, RLock theirs) throws Exception {
        ours.lock();
        RFuture<LockHold> next = theirs.acquireAsync();
        assertThat(theirs.tryLock(30, TimeUnit.MILLISECONDS))
                .as("it leaves the queue")
                .isFalse();
        ours.unlock();
        Futures.get(next).close();

        RCondition condition = ours.newCondition("filled");
        ours.lock();
        assertThat(condition.await(1, TimeUnit.MILLISECONDS)).isFalse();
        RFuture<Void> signalled = condition.awaitAsync();
        theirs.lock();
        theirs.newCondition("filled").signal();
        theirs.unlock();
        Futures.get(signalled);
        RFuture<Void> cancelled = condition.awaitAsync();
        theirs.lock();
        cancelled.toCompletableFuture().cancel(true);
        theirs.newCondition("filled").signalAll();
        theirs.unlock();

        LockHold freed = ours.acquire();
        assertThat(theirs.forceUnlock()).isTrue();
        assertThatThrownBy(freed::release).isInstanceOf(LockLostException.class);
    }

    private static void bothHalvesWork(RReadWriteLock ours, RReadWriteLock theirs) throws Exception {
        ours.writeLock().lock();
        ours.readLock().lock();
        RFuture<LockHold> reader = theirs.readLock().acquireAsync();
        ours.writeLock().unlock();
        LockHold beside = Futures.get(reader);
        beside.extend(Duration.ofMinutes(1));
        assertThat(theirs.readLock().inspect().holders()).hasSize(2);
        RFuture<LockHold> writer = theirs.writeLock().acquireAsync();
        beside.close();
        ours.readLock().unlock();
        Futures.get(writer).close();

        LockHold freed = ours.readLock().acquire();
        assertThat(theirs.readLock().forceUnlock()).isTrue();
        assertThatThrownBy(freed::release).isInstanceOf(LockLostException.class);
    }

    @Test
    void aQuorumWorksForThatUser() throws Exception {
        String[] urls = nodes.stream().map(MinimalAclTest::url).toArray(String[]::new);
        try (LockClient client = LockClient.connectQuorum(urls)) {
            RLock lock = client.getLock("acl-quorum");
            // Nobody has heard the clocks before, so the first token has to be agreed upon.
            try (LockHold hold = lock.acquire()) {
                hold.extend(Duration.ofMinutes(1));
                assertThat(lock.isLocked()).isTrue();
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.forceUnlock()).isTrue();
                assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
            }
            for (RedisServer node : nodes) {
                try (RawRedis admin = node.connect()) {
                    String run = admin.info("server").get("run_id");
                    await().until(() -> run.equals(admin.command("GET", "holdfast:marker")));
                }
            }
        }
    }

    @Test
    void theRightsOnRedissonsKeysAreEnough() {
        try (RawRedis admin = redis.connect()) {
            List<String> rule = new ArrayList<>(List.of(MinimalAcl.rule("shared", "x", MinimalAcl.commands())));
            rule.addAll(List.of("~stock", "~redisson_lock_token:*", "&redisson_lock__channel:*"));
            admin.command(rule.toArray(new String[0]));
        }
        LockOptions options =
                LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        try (LockClient client = LockClient.connect("redis://shared:x@" + redis.host() + ":" + redis.port())) {
            for (RLock lock : List.of(client.getLock("stock", options), client.getFencedLock("stock", options))) {
                lock.lock();
                lock.unlock();
            }
        }
    }

    @Test
    void everythingElseIsRefused() {
        try (RawRedis raw = RawRedis.connect(redis.host(), redis.port())) {
            raw.command("AUTH", "app", PASSWORD);
            assertRefused(raw, "GET", "somebody:elses");
            assertRefused(raw, "EVAL", "return redis.call('GET', KEYS[1])", "1", "somebody:elses");
            assertRefused(raw, "PUBLISH", "somebody:elses", "x");
            assertRefused(raw, "SUBSCRIBE", "somebody:elses");
            assertRefused(raw, "KEYS", "*");
            assertRefused(raw, "FLUSHALL");
            assertRefused(raw, "CONFIG", "GET", "*");
            assertRefused(raw, "CLIENT", "LIST");
            assertRefused(raw, "SCRIPT", "FLUSH");
        }
    }

    @Test
    void thatUserCanEndTheConnectionsOfOthers() {
        try (RawRedis other = redis.connect();
                RawRedis raw = RawRedis.connect(redis.host(), redis.port())) {
            other.command("PING");
            raw.command("AUTH", "app", PASSWORD);
            assertThat(raw.integer("CLIENT", "KILL", "USER", "default")).isPositive();
            assertThat(raw.integer("EVAL", "local n = 0 while n < 1e6 do n = n + 1 end return n", "0"))
                    .isEqualTo(1_000_000);
        }
    }

    @Test
    void theNarrowUserCanDoNoHarmToOthers() {
        try (RawRedis raw = RawRedis.connect(redis.host(), redis.port())) {
            RedisUri narrow = RedisUri.parse(NarrowUser.url(redis));
            raw.command("AUTH", narrow.user(), narrow.password());
            assertRefused(raw, "CLIENT", "KILL", "USER", "default");
            assertRefused(raw, "EVAL", "while true do end", "0");
            assertRefused(raw, "SCRIPT", "LOAD", "while true do end");
            assertRefused(raw, "GET", "somebody:elses");
        }
    }

    @Test
    void theNarrowUserIsToldThatAServerHasNoScripts() {
        String url = NarrowUser.url(redis);
        try (RawRedis admin = redis.connect()) {
            admin.command("SCRIPT", "FLUSH");
        }
        try (LockClient client = LockClient.connect(url)) {
            assertThatThrownBy(() -> client.getLock("acl").tryLock())
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOPERM));
        }
    }

    /** It may take no place, waits as it would without fair calls, and gets the lock when those are done (rule 132). */
    @Test
    void aPlainCallOfAUserWithoutSortedSetsWaitsBesideAQueue() throws Exception {
        Set<String> rights = new TreeSet<>(MinimalAcl.commands());
        rights.removeIf(right -> right.startsWith("z"));
        try (RawRedis admin = redis.connect()) {
            admin.command(MinimalAcl.rule("plain", "x", rights));
            try (LockClient fair = LockClient.connect(url(redis));
                    LockClient plain = LockClient.connect("redis://plain:x@" + redis.host() + ":" + redis.port())) {
                LockHold held = fair.getFairLock("beside").acquire();
                RFuture<LockHold> next = fair.getFairLock("beside").acquireAsync();
                RFuture<LockHold> call = plain.getLock("beside").acquireAsync();
                await().untilAsserted(() -> assertThat(admin.list("PUBSUB", "NUMSUB", "holdfast:{beside}:free"))
                        .last()
                        .isEqualTo("2"));
                held.close();
                Futures.get(next).close();
                Futures.get(call).close();
            }
        }
    }

    @Test
    void aKeyOutsideThePatternIsATypedError() {
        try (RawRedis admin = redis.connect()) {
            admin.command("ACL", "SETUSER", "elsewhere", "on", ">x", "~other:*", "&*", "+@all");
        }
        String url = "redis://elsewhere:x@" + redis.host() + ":" + redis.port();
        try (LockClient client = LockClient.connect(url)) {
            assertThatThrownBy(() -> client.getLock("acl").tryLock())
                    .isInstanceOfSatisfying(LockServerException.class, refused -> {
                        assertThat(refused.reason()).isEqualTo(FailureReason.NOPERM);
                        assertThat(refused.name()).hasValue("acl");
                        assertThat(refused.node())
                                .hasValueSatisfying(node -> assertThat(node).contains(String.valueOf(redis.port())));
                    });
        }
    }

    /** Semaphores alone need it: a user from before there were any keeps its locks. */
    @Test
    void withoutTheRightOfSemaphoresOnlyThoseAreRefused() throws Exception {
        Set<String> rights = new TreeSet<>(MinimalAcl.commands());
        rights.remove("zmscore");
        try (RawRedis admin = redis.connect()) {
            admin.command(MinimalAcl.rule("before", "x", rights));
        }
        String url = "redis://before:x@" + redis.host() + ":" + redis.port();
        try (LockClient client = LockClient.connect(url)) {
            client.getReadWriteLock("before").readLock().acquire().close();
            RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("before");
            slots.setPermits(1);
            assertThatThrownBy(slots::tryAcquire)
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOPERM))
                    .hasMessageContaining("semaphore 'before'");
            assertThat(slots.availablePermits()).isEqualTo(1);
        }
    }

    private static void assertRefused(RawRedis raw, String... command) {
        assertThatThrownBy(() -> raw.command(command))
                .isInstanceOf(RedisErrorReply.class)
                .hasMessageContaining("perm");
    }

    private static String url(RedisServer server) {
        return "redis://app:p:4%2Fss%40word@" + server.host() + ":" + server.port();
    }
}
