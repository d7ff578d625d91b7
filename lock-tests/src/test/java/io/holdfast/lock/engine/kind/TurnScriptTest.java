package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CHANNEL;
import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts of locks whose clients take turns do on a real server, branch by branch (rules 105, 109, 114, 125 to 127). */
@RedisTest
class TurnScriptTest {

    private static final String TURNS = LOCK + ":turns";
    private static final String QUEUE = LOCK + ":queue";
    private static final List<Object> NO_WORD = List.of(0L, 0L);

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    // --- word ---

    @Test
    void aRefusedCallThatWaitsLeavesWordOnceAndInOrder() {
        acquire("a:1:1", "0");

        List<?> refused = acquire("b:1:1", "1");
        acquire("c:1:1", "1");
        acquire("b:2:1", "1");

        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat((Long) refused.get(1)).isBetween(4_000L, 5_000L);
        assertThat(word()).containsExactly("b", "c");
        assertThat(redis.integer("PTTL", TURNS)).isBetween(11_000L, 12_000L);
    }

    @Test
    void aCallThatDoesNotWaitLeavesNone() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "0");

        assertThat(word()).isEmpty();
    }

    @Test
    void aClientThatMessagesReachNowKeepsItsPlace() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "*");
        acquire("c:1:1", "1");
        acquire("b:1:1", "1");

        assertThat(word()).containsExactly("b", "c");

        acquire("b:1:1", "*");
        assertThat(word()).containsExactly("b*", "c");
    }

    @Test
    void aGrantTakesTheWordOfItsClientBackAndLeavesThatOfOthers() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        acquire("c:1:1", "1");
        redis.command("DEL", LOCK);

        assertThat(acquire("c:1:2", "1").get(0)).isEqualTo(1L);

        assertThat(word()).containsExactly("b");
    }

    @Test
    void whereSomethingElseIsInThePlaceOfWordThereIsNone() {
        redis.command("SET", TURNS, "no word");
        acquire("a:1:1", "0");

        assertThat(acquire("b:1:1", "1").get(0)).isEqualTo(0L);
        assertThat(release("a:1:1", "1")).isEqualTo(List.of(1L, 0L));
        assertThat(redis.text("GET", TURNS)).isEqualTo("no word");
    }

    /** The greater the distance the longer the grace. */
    @Test
    void aClientThatIsFarHasAsLongAsItNeeds() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "****");
        age("b****", 1_000);
        assertThat(release("a:1:1", "0").get(0)).isEqualTo(2L);

        assertThat((Long) acquire("c:1:1", "0").get(1)).isBetween(100L, 200L);
    }

    @Test
    void moreThanTheLongestDistanceIsThat() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "*".repeat(9));
        age("b" + "*".repeat(9), 1_100);
        assertThat(release("a:1:1", "0").get(0)).isEqualTo(2L);

        assertThat((Long) acquire("c:1:1", "0").get(1)).isBetween(500L, 680L);
    }

    @Test
    void aClientThatIsFarIsPassedOverWhileItsWordIsYoung() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "******");
        acquire("c:1:1", "******");
        acquire("d:1:1", "1");

        assertThat(transfer("a:1:1", "a:2:2", 1).get(3)).isEqualTo(1L);
        assertThat(release("a:2:2", "0").get(0)).isEqualTo(2L);
        assertThat(word()).containsExactly("reserved", "d", "b******", "c******");
        assertThat(acquire("d:1:2", "1").get(0)).isEqualTo(1L);
        assertThat(transfer("d:1:2", "d:2:3", 1).get(3)).isEqualTo(0L);
        assertThat(release("d:2:3", "1")).isEqualTo(List.of(1L, 0L));

        acquire("d:1:4", "0");
        age("c******", 1_024);
        assertThat(transfer("d:1:4", "d:2:5", 1).get(3)).isEqualTo(1L);
        assertThat(release("d:2:5", "1").get(0)).isEqualTo(2L);
        assertThat(word()).containsExactly("reserved", "c******", "b******", "d");
    }

    @Test
    void aClientThatGivesUpTakesItsWordBack() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "***");
        acquire("c:1:1", "1");

        giveUp("b");

        assertThat(word()).containsExactly("c");
        assertThat(redis.integer("EXISTS", LOCK)).isOne();
    }

    @Test
    void whatIsReservedForAClientThatGivesUpIsForTheNextOne() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        acquire("c:1:1", "1");
        release("a:1:1", "0");
        lastFor(9_000);

        giveUp("b");

        assertThat(word()).containsExactly("reserved", "c");
        giveUp("c");
        assertThat(acquire("d:1:1", "0").get(0)).isEqualTo(1L);
    }

    @Test
    void whoGivesUpLeavesWhatIsReservedForAnotherClient() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        acquire("c:1:1", "1");
        release("a:1:1", "0");

        giveUp("c");

        assertThat(word()).containsExactly("reserved", "b");
    }

    // --- reservation ---

    @Test
    void aReleaseReservesTheLockForTheClientThatLeftWordFirst() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        acquire("c:1:1", "1");

        assertThat(release("a:1:1", "1")).isEqualTo(List.of(2L, 0L));

        assertThat(redis.integer("EXISTS", LOCK)).isZero();
        assertThat(word()).containsExactly("reserved", "b", "c", "a");
    }

    /** Else its next turn is reserved for it for as long as for a client nearby. */
    @Test
    void whoEndsItsTurnAndIsFarHasItsWordSaySo() {
        acquire("a:1:1", "****");
        acquire("b:1:1", "1");

        release("a:1:1", "****");

        assertThat(word()).containsExactly("reserved", "b", "a****");
    }

    @Test
    void meanwhileNoOtherClientIsGrantedTheLock() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        release("a:1:1", "0");
        lastFor(9_000);

        List<?> refused = acquire("c:1:1", "1");
        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat((Long) refused.get(1)).isBetween(8_000L, 9_000L);
        assertThat(acquire("b:2:1", "0").get(0)).isEqualTo(1L);
        assertThat(word()).containsExactly("c");
    }

    /** The server's clock was ahead when it was made. */
    @Test
    void aReservationThatWouldLastForLongHasEnded() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        release("a:1:1", "0");
        lastFor(60_000);

        assertThat(acquire("c:1:1", "1").get(0)).isEqualTo(1L);
    }

    @Test
    void aCallWhoseClientHasTheLockLeavesNoWord() {
        acquire("a:1:1", "0");
        acquire("a:2:1", "1");

        assertThat(word()).isEmpty();
    }

    @Test
    void aClientThatDoesNotComeInTimeLosesItsPlace() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        acquire("c:1:1", "1");
        release("a:1:1", "0");

        await().until(() -> acquire("d:1:1", "0").get(0).equals(1L));

        assertThat(word()).containsExactly("c");
    }

    @Test
    void whoWasNamedAndFindsTheLockTakenKeepsItsPlace() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        acquire("c:1:1", "1");
        release("a:1:1", "0");
        scripts.acquire("old:1:1", 5_000);

        acquire("b:1:1", "1");

        assertThat(word()).containsExactly("b", "c");
    }

    @Test
    void aClientThatNoMessageReachesHasLonger() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "*");
        age("b*", 32);
        release("a:1:1", "0");

        List<?> refused = acquire("c:1:1", "0");

        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat((Long) refused.get(1)).isBetween(11L, 60L);
    }

    @Test
    void aReleaseWithNoWordOfOthersReservesNothing() {
        acquire("b:1:1", "0");
        acquire("a:2:1", "1");
        redis.command("DEL", LOCK);
        scripts.acquire("a:1:1", 5_000);

        assertThat(release("a:1:1", "1")).isEqualTo(List.of(1L, 0L));
        assertThat(redis.integer("EXISTS", TURNS)).isZero();
    }

    @Test
    void aQueueGoesBeforeWord() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        redis.command("ZADD", QUEUE, "1", "wc:1:1");

        assertThat(release("a:1:1", "1")).isEqualTo(List.of(1L, 0L));
        assertThat(word()).containsExactly("b");
    }

    @Test
    void aReservationIsNoHolder() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        release("a:1:1", "0");

        assertThat(scripts.inspect().get(0)).isEqualTo(-2L);
        assertThat(scripts.force()).isZero();
        assertThat(release("a:1:1", "0")).isEqualTo(NO_WORD);
    }

    @Test
    void withMemoryFullALockIsFreedAndReserved() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(acquire("c:1:1", "1").get(0)).isEqualTo(0L);
            assertThat(release("a:1:1", "0").get(0)).isEqualTo(2L);
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(redis.integer("EXISTS", LOCK)).isZero();
    }

    // --- hand-over ---

    @Test
    void anAcquireMayPutTokensByAndTellsOfOthersThen() {
        acquire("a:1:1", "0");
        acquire("b:1:1", "1");
        redis.command("DEL", LOCK);

        List<?> granted = reply(scripts.run(
                Scripts.TURN_ACQUIRE, List.of(LOCK, CLOCK, TURNS, QUEUE), "a:1:2", 5_000, 1, "1", CHANNEL, 100));

        assertThat(granted.subList(2, 4)).isEqualTo(List.of(100L, 1L));
        assertThat(clock()).isEqualTo((Long) granted.get(1) + 99);
        assertThat(reply(scripts.run(
                        Scripts.TURN_ACQUIRE,
                        List.of(LOCK, CLOCK, TURNS, QUEUE),
                        "a:1:2",
                        5_000,
                        1,
                        "1",
                        CHANNEL,
                        100)))
                .isEqualTo(List.of(1L, granted.get(1), 1L, 1L));
    }

    @Test
    void aTransferPutsTokensByAndTellsOfOthers() {
        long first = (Long) acquire("a:1:1", "0").get(1);
        acquire("b:1:1", "1");

        List<?> moved = transfer("a:1:1", "a:2:2", 100);

        assertThat((Long) moved.get(1)).isGreaterThan(first);
        assertThat(moved.subList(2, 4)).isEqualTo(List.of(100L, 1L));
        assertThat(clock()).isEqualTo((Long) moved.get(1) + 99);
        assertThat(scripts.keptToken()).isEqualTo(moved.get(1).toString());
    }

    @Test
    void aRepeatedTransferIsToldOfItsOwnTokenOnly() {
        acquire("a:1:1", "0");
        List<?> moved = transfer("a:1:1", "a:2:2", 100);

        assertThat(transfer("a:1:1", "a:2:2", 100)).isEqualTo(List.of(1L, moved.get(1), 1L, 0L));
    }

    @Test
    void theWordOfTheOwnClientIsNoOthers() {
        acquire("b:1:1", "0");
        acquire("a:2:1", "1");
        redis.command("DEL", LOCK);
        scripts.acquire("a:1:1", 5_000);

        assertThat(transfer("a:1:1", "a:2:2", 1).get(3)).isEqualTo(0L);
        assertThat(word()).isEmpty();
    }

    @Test
    void aTransferTellsOfAQueue() {
        acquire("a:1:1", "0");
        redis.command("ZADD", QUEUE, "1", "wc:1:1");

        assertThat(transfer("a:1:1", "a:2:2", 100).get(3)).isEqualTo(2L);
    }

    @Test
    void tokensDoNotRunFarAheadOfTheTime() {
        acquire("a:1:1", "0");
        transfer("a:1:1", "a:2:2", 1_500_000);

        assertThat(transfer("a:2:2", "a:3:3", 100).get(2)).isEqualTo(1L);
    }

    @Test
    void aTransferOfWhatIsGoneMovesNothing() {
        assertThat(transfer("a:1:1", "a:2:2", 100)).isEqualTo(NO_WORD);
        assertThat(redis.integer("EXISTS", LOCK)).isZero();
    }

    // --- what the tests share ---

    private List<?> acquire(String field, String waits) {
        return reply(scripts.run(Scripts.TURN_ACQUIRE, List.of(LOCK, CLOCK, TURNS), field, 5_000, 1, waits, CHANNEL));
    }

    private List<?> release(String field, String again) {
        return reply(scripts.run(Scripts.TURN_RELEASE, List.of(LOCK, TURNS, QUEUE), field, 0, CHANNEL, again));
    }

    private void giveUp(String client) {
        scripts.run(Scripts.TURN_GIVE_UP, List.of(LOCK, TURNS, QUEUE), client + ":", CHANNEL);
    }

    /** A word was left so many ms earlier. */
    private void age(String word, long millis) {
        redis.command("ZINCRBY", TURNS, Long.toString(-1_000 * millis), word);
    }

    private List<?> transfer(String from, String to, int tokens) {
        return reply(
                scripts.run(Scripts.TURN_TRANSFER, List.of(LOCK, CLOCK, TURNS, QUEUE), from, to, 5_000, 1, tokens));
    }

    private static List<?> reply(Object answer) {
        return (List<?>) answer;
    }

    /** The clients of the word that is there, in their order. */
    private List<String> word() {
        return redis.list("ZRANGE", TURNS, "0", "-1");
    }

    /** The reservation ends in so many ms. */
    private void lastFor(long millis) {
        List<String> time = redis.list("TIME");
        long until = Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000 + millis;
        redis.command("ZADD", TURNS, "XX", Long.toString(-until), "reserved");
    }

    private long clock() {
        return Long.parseLong(String.valueOf(redis.text("GET", CLOCK)));
    }
}
