package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CHANNEL;
import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts do at one of several nodes whose clients take turns, branch by branch (rule 121). */
@RedisTest
class NodeTurnScriptTest {

    private static final String TURNS = LOCK + ":turns";
    private static final long AHEAD = 600_000_000;
    private static final long NO_WORD = -1;

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    // --- word ---

    @Test
    void theOrderIsThatOfTheCallsAndNotThatInWhichTheyCame() {
        propose("a:1:1", NO_WORD);

        List<?> refused = propose("b:1:1", 2_000);
        propose("c:1:1", 1_000);
        propose("d:1:1", NO_WORD);

        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat((Long) refused.get(1)).isBetween(4_000L, 5_000L);
        assertThat(refused.get(3)).isEqualTo("a:1:1");
        assertThat(word()).containsExactly("c", "b");
        assertThat(redis.integer("PTTL", TURNS)).isBetween(11_000L, 12_000L);
    }

    @Test
    void theWordOfAClientIsThatOfItsLatestRefusal() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 1_000);
        propose("c:1:1", 2_000);
        propose("b:2:2", 3_000);

        assertThat(word()).containsExactly("c", "b");
    }

    @Test
    void whereTheClientDoesNotKnowTheTimeItIsThatOfTheNode() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 0);

        assertThat(Long.parseLong(redis.text("ZSCORE", TURNS, "b"))).isBetween(now() - 5_000_000, now());
    }

    @Test
    void aClientThatMayTakeLongToComeSaysSo() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 1_000);

        propose("b:1:2", 1_000, "*");
        assertThat(word()).containsExactly("b*");
        propose("b:1:3", 1_000, "1");
        assertThat(word()).containsExactly("b");
    }

    @Test
    void suchAClientLooksOftenAtFirst() {
        propose("a:1:1", NO_WORD);

        assertThat((Long) propose("b:1:1", now(), "*").get(1)).isEqualTo(40);
        assertThat((Long) propose("b:1:2", now() - 300_000, "*").get(1)).isGreaterThan(4_000);
    }

    // --- reservation ---

    @Test
    void whatIsReleasedIsReservedForTheOldestCall() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 2_000);
        propose("c:1:1", 1_000);

        assertThat(release("a:1:1", 0)).isEqualTo(List.of(2L, 0L));

        assertThat(word()).containsExactly("reserved", "c", "b");
        List<?> refused = propose("b:1:2", 2_000);
        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat((Long) refused.get(1)).isBetween(1L, 10L);
        assertThat(refused.get(3)).isEqualTo("c:next");
    }

    @Test
    void theClientForWhichItIsReservedGetsIt() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 1_000);
        release("a:1:1", 0);
        lastFor(9_000);

        assertThat(propose("b:1:2", 1_000).get(0)).isEqualTo(1L);
        assertThat(word()).containsExactly("b");

        // Its word was only of use while it waited.
        release("b:1:2", 0);
        assertThat(word()).isEmpty();
    }

    /** All nodes are told of a call at different times: what one has promised by then, it keeps. */
    @Test
    void anOlderCallDoesNotTakeWhatIsReserved() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 2_000);
        release("a:1:1", 0);
        lastFor(9_000);

        assertThat(propose("c:1:1", 1_000).get(0)).isEqualTo(0L);

        assertThat(word()).containsExactly("reserved", "b", "c");
        assertThat(propose("b:1:2", 2_000).get(0)).isEqualTo(1L);
        // From now on its own age counts.
        propose("c:1:2", 1_000);
        assertThat(word()).containsExactly("c", "b");
    }

    @Test
    void aClientThatDoesNotComeInTimeLosesItsPlace() {
        propose("a:1:1", NO_WORD);
        propose("b:1:1", 1_000);
        propose("c:1:1", 2_000);
        release("a:1:1", 0);
        lastFor(-1);

        assertThat(propose("c:1:2", 2_000).get(0)).isEqualTo(1L);

        assertThat(word()).containsExactly("c");
    }

    @Test
    void aRepeatedProposalIsAnsweredAsTheFirst() {
        List<?> first = propose("a:1:1", 1_000);

        assertThat(propose("a:1:1", 1_000).subList(0, 2)).isEqualTo(first.subList(0, 2));
        assertThat(word()).isEmpty();
    }

    // --- giving way ---

    @Test
    void whoGivesWayKeepsItsPlaceAndMayBeNext() {
        propose("a:1:1", 1_000);
        propose("b:1:1", 2_000);
        propose("a:1:2", 1_000);

        assertThat(release("a:1:1", 2)).isEqualTo(List.of(2L, 0L));

        assertThat(word()).containsExactly("reserved", "a", "b");
    }

    @Test
    void whoGivesWayAndHasLeftNoWordYetStandsBehindThoseWhoHave() {
        propose("a:1:1", 1_000);
        propose("b:1:1", 2_000);

        release("a:1:1", 2);

        assertThat(word()).containsExactly("reserved", "b", "a");
        assertThat(redis.integer("PTTL", TURNS)).isBetween(11_000L, 12_000L);
    }

    @Test
    void whoGivesWayAndIsFarHasItsWordSaySo() {
        propose("a:1:1", 1_000);
        propose("b:1:1", 2_000);

        release("a:1:1", "2***");

        assertThat(word()).containsExactly("reserved", "b", "a***");
    }

    @Test
    void whoReleasesForGoodTakesItsWordBack() {
        propose("a:1:1", 1_000);
        propose("b:1:1", 2_000);
        propose("a:1:2", 1_000);

        release("a:1:1", 0);

        assertThat(word()).containsExactly("reserved", "b");
    }

    // --- where there are no turns ---

    @Test
    void whereSomethingElseIsInThePlaceOfWordThereIsNone() {
        redis.command("SET", TURNS, "no word");
        propose("a:1:1", 1_000);

        assertThat(propose("b:1:1", 2_000).get(0)).isEqualTo(0L);
        assertThat(release("a:1:1", 2)).isEqualTo(List.of(1L, 0L));
        assertThat(propose("b:1:2", 2_000).get(0)).isEqualTo(1L);
    }

    private List<?> propose(String field, long since) {
        return propose(field, since, "1");
    }

    private List<?> propose(String field, long since, String prompt) {
        return (List<?>) scripts.run(
                Scripts.TURN_PROPOSE,
                List.of(LOCK, CLOCK, TURNS),
                field,
                5_000,
                1,
                now() + 1_000_000,
                AHEAD,
                since,
                prompt);
    }

    private List<?> release(String field, Object again) {
        return (List<?>)
                scripts.run(Scripts.TURN_RELEASE, List.of(LOCK, TURNS, LOCK + ":queue"), field, 0, CHANNEL, again);
    }

    private long now() {
        List<String> time = redis.list("TIME");
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    /** The clients of the word that is there, in their order. */
    private List<String> word() {
        return redis.list("ZRANGE", TURNS, "0", "-1");
    }

    /** The reservation ends in so many ms. */
    private void lastFor(long millis) {
        redis.command("ZADD", TURNS, "XX", Long.toString(-(now() / 1_000 + millis)), "reserved");
    }
}
