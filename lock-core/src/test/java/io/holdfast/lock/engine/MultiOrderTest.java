package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.multi.GivingWay;
import io.holdfast.lock.engine.multi.MultiLocks;
import io.holdfast.lock.spi.ServerRun;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** In which order a MultiLock takes its members, and what it does where others may have another order. */
class MultiOrderTest {

    private static final LockOptions REDISSON =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    private final ManualRuntime runtime = new ManualRuntime(1);
    private final ScriptedBackend first = new ScriptedBackend(runtime, "10.0.0.1");
    private final ScriptedBackend second = new ScriptedBackend(runtime, "10.0.0.2");

    // --- the order ---

    @Test
    void keysComeFirstWhateverTheServersAreCalled() {
        RLock b = client(first).getLock("b");
        RLock a = client(second).getLock("a");
        MultiLocks.of(List.of(b, a)).lockAsync(1);
        second.next("acquire");
        first.assertNothingOpen();
    }

    @Test
    void membersOfOneKeyGoByWhatTheirServersSay() {
        first.run = new ServerRun("ff", 0);
        second.run = new ServerRun("aa", 0);
        both().lockAsync(1);
        second.next("acquire");
        first.assertNothingOpen();
    }

    @Test
    void aQuorumGoesByTheSortedIdsOfItsServers() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        for (int i = 0; i < 3; i++) {
            quorum.node(i).run = new ServerRun(List.of("ee", "bb", "dd").get(i), 0);
        }
        ScriptedBackend before = new ScriptedBackend(quorum.runtime, "z");
        ScriptedBackend behind = new ScriptedBackend(quorum.runtime, "0");
        before.run = new ServerRun("ba", 0);
        behind.run = new ServerRun("bc", 0);
        RLock all = MultiLocks.of(List.of(
                client(behind).getLock("stock"), quorum.lock(), client(before).getLock("stock")));
        all.lockAsync(1);
        before.next("acquire").granted(7);
        behind.assertNothingOpen();
        assertThat(quorum.open()).as("the quorum has been asked").isNotEmpty();
    }

    @Test
    void aServerThatWasRestartedHasItsNewPlaceInTheNextCall() {
        first.run = new ServerRun("aa", 0);
        second.run = new ServerRun("bb", 0);
        RLock both = both();
        first.run = new ServerRun("cc", 0);
        both.lockAsync(1);
        second.next("acquire");
    }

    // --- giving way ---

    @Test
    void whoIsBehindOthersGivesBackAndBeginsWithThatMember() {
        CompletableFuture<Void> call = both().lockAsync(1).toCompletableFuture();
        Sent taken = grant(first);
        waitBehindOthers(second);
        runtime.advanceMillis(99);
        assertThat(first.releasedFields()).isEmpty();

        runtime.advanceMillis(201);

        assertThat(first.releasedFields()).containsExactly(taken.field());
        first.next("release").done();
        first.assertNothingOpen();
        grant(second);
        assertThat(call).isNotDone();
        grant(first);
        assertThat(call).isCompleted();
    }

    /** Also a MultiLock that is made anew. */
    @Test
    void theNextCallBeginsWithWhatOthersTakeFirst() {
        LockClient one = client(first);
        LockClient two = client(second);
        MultiLocks.of(List.of(one.getLock("stock"), two.getLock("stock"))).lockAsync(1);
        grant(first);
        waitBehindOthers(second);
        runtime.advanceMillis(300);
        first.next("release").done();

        MultiLocks.of(List.of(one.getLock("stock"), two.getLock("stock"))).lockAsync(2);
        first.assertNothingOpen();
    }

    @Test
    void whoHasNothingInHandWaitsOn() {
        both().lockAsync(1);
        waitBehindOthers(first);
        runtime.advanceMillis(4_000);
        first.assertNothingOpen();
        assertThat(first.releasedFields()).isEmpty();
    }

    @Test
    void patienceWithSomethingInHandDoublesUpToFiveSeconds() {
        GivingWay way = new GivingWay(runtime);
        for (int doubled = 1; doubled <= 64; doubled *= 2) {
            assertThat(way.patienceNanos() / 1_000_000)
                    .isBetween(Math.min(100L * doubled, 5_000), Math.min(300L * doubled, 5_000));
            way.gaveWay();
        }
    }

    @Test
    void locksThatRedissonMayNameInAnotherOrderGiveWay() {
        LockClient client = client(first);
        MultiLocks.of(List.of(client.getLock("a", REDISSON), client.getLock("b", REDISSON)))
                .lockAsync(1);
        grant(first);
        waitBehindOthers(first);
        runtime.advanceMillis(300);
        assertThat(first.releasedFields()).hasSize(1);
    }

    @Test
    void whereTheKeysDecideTheOrderNothingIsGivenBack() {
        LockClient client = client(first);
        MultiLocks.of(List.of(client.getLock("a"), client.getLock("b"))).lockAsync(1);
        grant(first);
        waitBehindOthers(first);
        runtime.advanceMillis(4_000);
        assertThat(first.releasedFields()).isEmpty();
    }

    @Test
    void theWaitGoesOnWhenAllWasGivenBack() {
        CompletableFuture<Boolean> call =
                both().tryLockAsync(400, -1, MILLISECONDS, 1).toCompletableFuture();
        grant(first);
        waitBehindOthers(second);
        runtime.advanceMillis(300);
        refuse(second);
        assertThat(call).isNotDone();
        runtime.advanceMillis(100);
        assertThat(call).isCompletedWithValue(false);
    }

    private RLock both() {
        return MultiLocks.of(
                List.of(client(first).getLock("stock"), client(second).getLock("stock")));
    }

    private static Sent grant(ScriptedBackend backend) {
        Sent asked = backend.next("acquire");
        asked.granted(7);
        return asked;
    }

    private static void waitBehindOthers(ScriptedBackend backend) {
        refuse(backend);
        backend.topic().confirm();
        refuse(backend);
    }

    private static void refuse(ScriptedBackend backend) {
        backend.next("acquire").refused(30_000);
    }

    private static LockClient client(ScriptedBackend backend) {
        return EngineClient.over(backend, ClientOptions.defaults(), "client of " + backend.describe());
    }
}
