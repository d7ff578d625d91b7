package io.holdfast.lock.tests.history;

import static io.holdfast.lock.tests.history.Model.FENCED_MUTEX;
import static io.holdfast.lock.tests.history.Model.MUTEX;
import static io.holdfast.lock.tests.history.Model.OWNER_AWARE_MUTEX;
import static io.holdfast.lock.tests.history.Model.REENTRANT_FENCED_MUTEX;
import static io.holdfast.lock.tests.history.Model.REENTRANT_MUTEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories written by hand: impossible ones are found out and shown, possible ones let through. */
class LinearizabilityTest {

    private static final long NEVER = Operation.FOREVER / 1_000_000;

    // --- impossible ---

    static List<Arguments> impossible() {
        return List.of(
                bad("two holders", MUTEX, story().acquire("A", 0, 10).acquire("B", 20, 30), 1, "granted while"),
                bad(
                        "two holders, one of which was granted while the other's release was not yet asked for",
                        MUTEX,
                        story().acquire("A", 0, 10).acquire("B", 5, 30).release("A", 31, 40),
                        1,
                        "A holds it since #0"),
                bad("a release of what nobody holds", MUTEX, story().release("A", 0, 10), 0, "did not hold"),
                bad(
                        "a stranger's release that succeeds",
                        OWNER_AWARE_MUTEX,
                        story().acquire("A", 0, 10).release("B", 20, 30),
                        1,
                        "did not hold"),
                bad(
                        "a second release",
                        OWNER_AWARE_MUTEX,
                        story().acquire("A", 0, 10).release("A", 20, 30).release("A", 40, 50),
                        2,
                        "nobody holds it"),
                bad(
                        "taken again by an owner of a lock that is not reentrant",
                        OWNER_AWARE_MUTEX,
                        story().acquire("A", 0, 10).acquire("A", 20, 30),
                        1,
                        "granted while"),
                bad(
                        "given away at the first of two releases",
                        REENTRANT_MUTEX,
                        story().acquire("A", 0, 10)
                                .acquire("A", 20, 30)
                                .release("A", 40, 50)
                                .acquire("B", 60, 70),
                        3,
                        "granted while"),
                bad(
                        "counted twice",
                        REENTRANT_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, NEVER).acquire("A", 20, 30, 1, 3, NEVER),
                        1,
                        "counted 3 times, held 2 times"),
                bad(
                        "new and counted twice",
                        REENTRANT_MUTEX,
                        story().acquire("A", 0, 10, 1, 2, NEVER),
                        0,
                        "a new hold is counted 2 times"),
                bad(
                        "a token that goes back",
                        FENCED_MUTEX,
                        story().acquire("A", 0, 10, 7, 1, NEVER)
                                .release("A", 20, 30)
                                .acquire("B", 40, 50, 6, 1, NEVER),
                        2,
                        "token 6 is not greater than 7"),
                bad(
                        "a token that stays",
                        FENCED_MUTEX,
                        story().acquire("A", 0, 10, 7, 1, NEVER)
                                .release("A", 20, 30)
                                .acquire("A", 40, 50, 7, 1, NEVER),
                        2,
                        "token 7 is not greater than 7"),
                bad(
                        "a token that goes back after the store forgot",
                        FENCED_MUTEX,
                        story().acquire("A", 0, 10, 7, 1, NEVER).forget(20, 30).acquire("B", 40, 50, 3, 1, NEVER),
                        2,
                        "token 3 is not greater than 7"),
                bad(
                        "two holders after the store has forgotten only the first",
                        FENCED_MUTEX,
                        story().forget(0, 100)
                                .acquire("A", 10, 20, 1, 1, NEVER)
                                .acquire("B", 110, 120, 2, 1, NEVER)
                                .acquire("C", 130, 140, 3, 1, NEVER),
                        3,
                        "B holds it since #2"),
                bad(
                        "a token that goes back, with a hold in between whose token was not told",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 7, 1, NEVER)
                                .release("A", 20, 30)
                                .acquire("B", 40, 50, 0, 1, NEVER)
                                .release("B", 60, 70)
                                .acquire("C", 80, 90, 6, 1, NEVER),
                        4,
                        "token 6 is not greater than 7"),
                bad(
                        "refused by an own hold that is valid",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000).refused("A", 500, 510),
                        1,
                        "nobody else held it"),
                bad(
                        "taken again under another token",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 7, 1, NEVER).acquire("A", 20, 30, 8, 2, NEVER),
                        1,
                        "taken again under token 8, held under 7"),
                bad(
                        "a release of an earlier hold that ends a later one",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 7, 1, NEVER)
                                .release("A", 7, 20, 30)
                                .acquire("A", 40, 50, 8, 1, NEVER)
                                .release("A", 7, 60, 70),
                        3,
                        "did not hold"),
                bad(
                        "granted before the predecessor's validity ended",
                        MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000).acquire("B", 500, 999, 2, 1, 2_000),
                        1,
                        "valid until 1,000"),
                bad(
                        "granted before a validity ended that was prolonged",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000)
                                .extend("A", 1, 500, 510, 1_500)
                                .acquire("B", 1_100, 1_400, 2, 1, 3_000),
                        2,
                        "valid until 1,500"),
                bad(
                        "granted before a validity ended that taking it again has prolonged",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000)
                                .acquire("A", 500, 510, 1, 2, 1_500)
                                .acquire("B", 1_100, 1_400, 2, 1, 3_000),
                        2,
                        "granted while"),
                bad(
                        "told lost while valid",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000).lost(Call.RELEASE, "A", 1, 500, 510),
                        1,
                        "lost while it was valid"),
                bad(
                        "prolonged after somebody else had it",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000)
                                .acquire("B", 1_100, 1_200, 2, 1, 5_000)
                                .extend("A", 1, 1_300, 1_400, 4_000),
                        2,
                        "prolonged a hold that it did not have"),
                bad(
                        "released after somebody else had it",
                        OWNER_AWARE_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000)
                                .acquire("B", 1_100, 1_200, 2, 1, 5_000)
                                .release("A", 1_300, 1_400),
                        2,
                        "did not hold"),
                bad(
                        "refused although nobody had it",
                        MUTEX,
                        story().acquire("A", 0, 10).release("A", 20, 30).refused("B", 40, 50),
                        2,
                        "nobody else held it"),
                bad(
                        "two grants that one unknown release can't explain",
                        OWNER_AWARE_MUTEX,
                        story().acquire("A", 0, 10)
                                .unknown(Call.RELEASE, "A", 20)
                                .acquire("B", 30, 40)
                                .acquire("C", 50, 60),
                        3,
                        "B holds it since #2"),
                bad(
                        "an unknown acquire does not let another one in",
                        MUTEX,
                        story().acquire("A", 0, 10)
                                .unknown(Call.ACQUIRE, "B", 5)
                                .acquire("C", 20, 30),
                        2,
                        "granted while"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossible")
    void isFoundOut(String name, Model model, Story story, int culprit, String reason) {
        assertThat(Linearizability.check(model, story.told())).singleElement().satisfies(violation -> {
            assertThat(violation.operation().number()).isEqualTo(culprit);
            assertThat(violation.message()).contains("<-- impossible").contains(reason);
        });
    }

    @Test
    void theOffendingCallsAreShown() {
        History history = story().acquire("A", 100, 110, 17, 1, 5_000)
                .acquire("C", 150, 151, 18, 1, 5_100)
                .told();
        assertThatThrownBy(() -> Linearizability.require(REENTRANT_FENCED_MUTEX, history))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        """
                        lock 'job' is no reentrant fenced mutex: #1 is impossible
                          #0           0.000 .. 10.000       A              acquire -> ok, token 17, count 1, valid until 4,900.000
                          #1          50.000 .. 51.000       C              acquire -> ok, token 18, count 1, valid until 5,000.000   <-- impossible
                        because A holds it since #0, token 17, valid until 4,900.000: granted while the lock was held""");
    }

    // --- possible ---

    static List<Arguments> possible() {
        return List.of(
                good("nothing", REENTRANT_FENCED_MUTEX, story()),
                good(
                        "refused by an own hold whose validity is over",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000).refused("A", 1_001, 1_010)),
                good(
                        "one after the other",
                        OWNER_AWARE_MUTEX,
                        story().acquire("A", 0, 10).release("A", 20, 30).acquire("B", 40, 50)),
                good(
                        "a mutex does not ask who releases",
                        MUTEX,
                        story().acquire("A", 0, 10).release("B", 20, 30).acquire("C", 40, 50)),
                good(
                        "granted while the release was on its way",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, NEVER)
                                .release("A", 1, 20, 100)
                                .acquire("B", 5, 30, 2, 1, NEVER)
                                .release("B", 2, 40, 50)
                                .acquire("C", 5, 60, 3, 1, NEVER)),
                good(
                        "answers that come in another order than the grants",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 100, 1, 1, 50)
                                .acquire("B", 0, 90, 2, 1, NEVER)
                                .release("B", 2, 130, 140)),
                good(
                        "levels",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 5, 1, NEVER)
                                .acquire("A", 20, 30, 5, 2, NEVER)
                                .refused("B", 32, 35)
                                .release("A", 5, 40, 50)
                                .acquire("A", 60, 70, 5, 2, NEVER)
                                .release("A", 5, 80, 90)
                                .release("A", 5, 80, 90)
                                .acquire("B", 85, 100, 6, 1, NEVER)),
                good(
                        "granted when the predecessor's validity had ended",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000)
                                .acquire("B", 500, 1_000, 2, 1, 2_000)
                                .lost(Call.RELEASE, "A", 1, 1_001, 1_002)
                                .release("B", 2, 1_100, 1_200)),
                good(
                        "told lost when the validity had ended, and still refused to others",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000)
                                .lost(Call.EXTEND, "A", 1, 1_000, 1_001)
                                .refused("B", 1_002, 1_003)),
                good(
                        "taken anew by the owner who had lost it",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, 1_000).acquire("A", 1_100, 1_200, 2, 1, 9_000)),
                good(
                        "an unknown acquire that took effect, and was undone",
                        REENTRANT_FENCED_MUTEX,
                        story().unknown(Call.ACQUIRE, "A", 0)
                                .refused("B", 20, 30)
                                .acquire("B", 40, 50, 9, 1, NEVER)),
                good(
                        "an unknown acquire, sent again and again, that began the hold and after its end the next",
                        REENTRANT_FENCED_MUTEX,
                        story().unknown(Call.ACQUIRE, "A", 0)
                                .acquire("A", 20, 30, 6, 2, 1_000)
                                .acquire("A", 1_100, 1_200, 1_006, 3, NEVER)),
                good(
                        "an unknown acquire that took effect late",
                        OWNER_AWARE_MUTEX,
                        story().unknown(Call.ACQUIRE, "A", 0)
                                .acquire("B", 20, 30)
                                .release("B", 40, 50)
                                .refused("C", 60, 70)
                                .release("A", 80, 90)),
                good(
                        "an unknown release that took effect late",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, NEVER)
                                .unknown(Call.RELEASE, "A", 20)
                                .refused("B", 30, 40)
                                .acquire("B", 50, 60, 2, 1, NEVER)),
                good(
                        "an unknown second level, released or not",
                        REENTRANT_MUTEX,
                        story().acquire("A", 0, 10)
                                .unknown(Call.ACQUIRE, "A", 20)
                                .release("A", 30, 40)
                                .refused("B", 50, 60)
                                .release("A", 70, 80)
                                .acquire("B", 90, 100)),
                good(
                        "the same without",
                        REENTRANT_MUTEX,
                        story().acquire("A", 0, 10)
                                .unknown(Call.ACQUIRE, "A", 20)
                                .release("A", 30, 40)
                                .acquire("B", 90, 100)),
                good(
                        "a failure says nothing",
                        MUTEX,
                        story().acquire("A", 0, 10).failed("B", 20, 30)),
                good(
                        "the store forgot again and again",
                        REENTRANT_FENCED_MUTEX,
                        story().forget(0, 100)
                                .acquire("A", 10, 20, 1, 1, NEVER)
                                .acquire("B", 30, 40, 2, 1, NEVER)
                                .lost(Call.RELEASE, "A", 1, 45, 50)
                                .acquire("C", 60, 70, 3, 1, NEVER)
                                .acquire("A", 110, 120, 4, 1, NEVER)),
                good(
                        "the store forgot, and tokens go on",
                        REENTRANT_FENCED_MUTEX,
                        story().acquire("A", 0, 10, 1, 1, NEVER)
                                .forget(20, 30)
                                .acquire("B", 25, 40, 2, 1, NEVER)
                                .lost(Call.RELEASE, "A", 1, 50, 60)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("possible")
    void isLetThrough(String name, Model model, Story story) {
        Linearizability.require(model, story.told());
    }

    @Test
    void locksHaveNothingToDoWithEachOther() {
        History.Builder history = History.builder();
        for (String lock : List.of("a", "b")) {
            history.ok(history.invoke(lock, "A", Call.ACQUIRE, 1), 2);
            history.ok(history.invoke(lock, "B", Call.ACQUIRE, 3), 4);
        }
        history.ok(history.invoke("c", "A", Call.ACQUIRE, 3), 4);
        assertThat(Linearizability.check(MUTEX, history.build()))
                .extracting(Violation::lock)
                .containsExactly("a", "b");
    }

    /** Ten owners whose calls all overlap, half of them without an answer. */
    @ParameterizedTest
    @EnumSource
    void aHundredCallsAreCheckedInNoTime(Model model) {
        Story story = story();
        for (int turn = 0; turn < 25; turn++) {
            int at = turn * 100;
            for (int owner = 0; owner < 2; owner++) {
                story.unknown(Call.ACQUIRE, "U" + turn + owner, at);
            }
            story.acquire("A" + turn % 5, at, at + 60, turn + 1, 1, NEVER);
            story.release("A" + turn % 5, at + 70, at + 150);
        }
        long startNanos = System.nanoTime();
        assertThat(Linearizability.check(model, story.told())).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(2));
    }

    /** What a bad network leaves behind: many calls without an answer, by threads that call again. */
    @ParameterizedTest
    @EnumSource
    void manyUnknownOutcomesAreCheckedInNoTime(Model model) {
        Story story = story();
        for (int turn = 0; turn < 60; turn++) {
            int at = turn * 100;
            story.unknown(Call.ACQUIRE, "A" + turn % 4, at);
            story.acquire("A" + turn % 4, at + 10, at + 20, turn + 1, 1, NEVER);
            story.refused("B" + turn % 3, at + 25, at + 30);
            story.unknown(Call.ACQUIRE, "B" + turn, at + 35);
            story.release("A" + turn % 4, turn + 1, at + 40, at + 50);
            story.refused("B" + turn % 3, at + 60, at + 70);
            story.unknown(Call.RELEASE, "B" + turn % 3, at + 75);
        }
        long startNanos = System.nanoTime();
        assertThat(Linearizability.check(model, story.told())).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(10));
    }

    /** Nothing is said of what was not gone through; that it was not is said. */
    @Test
    void aSearchThatIsTooLongIsGivenUpAndTellsSo() {
        Story story = story();
        for (int owner = 0; owner < 12; owner++) {
            story.acquire("A" + owner, 0, 100, 0, 1, 1);
        }
        Judgement judgement = Linearizability.judge(REENTRANT_FENCED_MUTEX, story.told(), 1_000);
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.givenUp()).containsExactly("job");
        assertThat(Linearizability.judge(
                                REENTRANT_FENCED_MUTEX,
                                story().acquire("A", 0, 10).told(),
                                1_000)
                        .givenUp())
                .isEmpty();
    }

    private static Story story() {
        return new Story();
    }

    private static Arguments bad(String name, Model model, Story story, int culprit, String reason) {
        return Arguments.of(name, model, story, culprit, reason);
    }

    private static Arguments good(String name, Model model, Story story) {
        return Arguments.of(name, model, story);
    }
}
