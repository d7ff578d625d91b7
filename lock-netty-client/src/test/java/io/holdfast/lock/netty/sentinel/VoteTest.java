package io.holdfast.lock.netty.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Other;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rule 83, exhausted: all that up to five Sentinels may say during a failover, one of which lies about who is the primary,
 * about the epoch and about which Sentinel it is.
 */
class VoteTest {

    private static final Word OLD = new Word(new Target.Host("old", 6379), 4);
    private static final Word NEW = new Word(new Target.Host("new", 6379), 5);
    private static final List<Word> TRUE_WORDS = Arrays.asList(null, OLD, NEW);
    private static final List<Word> LIES = List.of(
            OLD,
            NEW,
            new Word(NEW.primary(), 99),
            new Word(OLD.primary(), 99),
            new Word(new Target.Host("liar", 6379), 3),
            new Word(new Target.Host("liar", 6379), 4),
            new Word(new Target.Host("liar", 6379), 5),
            new Word(new Target.Host("liar", 6379), Long.MAX_VALUE));

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void aLiarMovesNoClientAwayFromWhatTheOthersThatAnswerAgreeOn(int sentinels) {
        everyRound(sentinels, round -> {
            Set<Word> truths = Set.copyOf(round.truths());
            if (truths.size() == 1) {
                assertThat(round.vote().word())
                        .as(round::toString)
                        .isIn(null, round.truths().get(0));
            }
        });
    }

    /** While the others disagree, a liar may tip the scales, but only towards what one of them says. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void whatCountsWasSaidByOneThatIsNoLiar(int sentinels) {
        everyRound(sentinels, round -> {
            if (round.vote().word() != null && !round.truths().isEmpty()) {
                assertThat(round.truths())
                        .as(round::toString)
                        .contains(round.vote().word());
            }
        });
    }

    /** A liar that says another one's id, and the same as it, passes for it under another address; there is one fewer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void anOlderEpochTakesAMajorityOfAllThatAreKnown(int sentinels) {
        everyRound(sentinels, round -> {
            Vote vote = round.vote();
            long distinct = round.said().stream().distinct().count();
            assertThat(vote.known())
                    .as(round::toString)
                    .isEqualTo(sentinels - (int) (round.said().size() - distinct));
            Word word = vote.word();
            if (word != null
                    && round.present() != null
                    && word.epoch() < round.present().epoch()) {
                assertThat(2 * vote.voices()).as(round::toString).isGreaterThan(vote.known());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void aLiarKeepsNoMajorityOfAllFromCounting(int sentinels) {
        everyRound(sentinels, round -> TRUE_WORDS.stream()
                .filter(Objects::nonNull)
                .filter(word -> 2 * round.truths().stream().filter(word::equals).count() > sentinels)
                .forEach(word -> {
                    assertThat(round.vote().word()).as(round::toString).isEqualTo(word);
                    assertThat(round.vote().isFinal()).as(round::toString).isTrue();
                }));
    }

    /** What is final would not have come out differently, whatever those say that have not answered yet. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whatIsFinalStaysWhateverTheOthersSay(int sentinels) {
        everyRound(sentinels, round -> {
            List<Testimony> lateToo = new ArrayList<>(round.said());
            for (int i = round.said().size(); i < sentinels; i++) {
                lateToo.add(testimony("late" + i, LIES.get(7)));
            }
            if (round.vote().isFinal()) {
                assertThat(Vote.of(lateToo, sentinels, round.present()).word())
                        .as(round::toString)
                        .isEqualTo(round.vote().word());
            }
        });
    }

    @Test
    void oneThatAnswersAloneIsBelieved() {
        Vote vote = Vote.of(List.of(testimony("a", NEW)), 3, OLD);
        assertThat(vote.word()).isEqualTo(NEW);
        assertThat(vote.answers()).isEqualTo(1);
        assertThat(vote.isFinal()).isFalse();
    }

    @Test
    void anOlderEpochFromOneThatAnswersAloneIsNotBelieved() {
        assertThat(Vote.of(List.of(testimony("a", OLD)), 3, NEW).word()).isNull();
        assertThat(Vote.of(List.of(testimony("a", OLD), testimony("b", OLD)), 3, NEW)
                        .word())
                .isEqualTo(OLD);
    }

    @Test
    void addressAndEpochCountTogether() {
        Word sooner = new Word(NEW.primary(), 6);
        assertThat(Vote.of(List.of(testimony("a", NEW), testimony("b", sooner)), 2, OLD)
                        .word())
                .isNull();
    }

    @Test
    void aSentinelUnderTwoAddressesHasOneVote() {
        List<Testimony> said = List.of(testimony("a", NEW), testimony("a", NEW), testimony("b", OLD));
        Vote vote = Vote.of(said, 3, null);
        assertThat(vote.word()).isNull();
        assertThat(vote.answers()).isEqualTo(2);
        assertThat(vote.known()).isEqualTo(2);
    }

    @Test
    void aMajorityHasToKnowNoneBeforeThereIsNone() {
        Testimony ignorant = new Testimony("a", "a", null, true, List.of(), Testimony.UNTOLD, "");
        Testimony another = new Testimony("b", "b", null, true, List.of(), Testimony.UNTOLD, "");
        assertThat(Vote.of(List.of(ignorant, testimony("c", NEW)), 3, null).knowNone())
                .isFalse();
        assertThat(Vote.of(List.of(ignorant, another, testimony("c", NEW)), 3, null)
                        .knowNone())
                .isTrue();
    }

    @Test
    void noAnswersAreNoVote() {
        Vote vote = Vote.of(List.of(), 3, OLD);
        assertThat(vote.word()).isNull();
        assertThat(vote.knowNone()).isFalse();
        assertThat(vote.isFinal()).isFalse();
    }

    @Test
    void aLiarNamesNoFurtherSentinels() {
        Testimony liar = naming("liar", "z1", "z2", "z3");
        assertThat(Vote.named(List.of(liar, naming("a", "b"), naming("b", "a")), 3))
                .isEmpty();
        assertThat(Vote.named(List.of(liar, naming("a", "b", "c"), naming("b", "a", "c")), 3))
                .containsExactly(new Target.Host("c", 26379));
    }

    @Test
    void aLiarThatSaysAnothersIdNamesNoFurtherSentinels() {
        assertThat(Vote.named(List.of(naming("a", "z1"), naming("a", "liar")), 2))
                .isEmpty();
    }

    @Test
    void aSentinelUnderTwoAddressesNamesOthersOnce() {
        assertThat(Vote.named(List.of(naming("a", "z"), naming("a", "z"), naming("b", "a")), 3))
                .doesNotContain(new Target.Host("z", 26379));
        assertThat(Vote.named(List.of(naming("a", "b"), naming("a", "b")), 2))
                .containsExactly(new Target.Host("b", 26379));
    }

    /**
     * What may be said in one round.
     *
     * @param truths the words of those that do not lie
     */
    private record Round(List<Testimony> said, List<Word> truths, Word present, Vote vote) {}

    /** All rounds: what each Sentinel says, what the liar says and as which one, in any order, after any word. */
    private static void everyRound(int sentinels, Consumer<Round> check) {
        int combinations = (int) Math.pow(TRUE_WORDS.size(), sentinels - 1);
        for (int combination = 0; combination < combinations; combination++) {
            List<Word> words = words(combination, sentinels - 1);
            List<Testimony> honest = IntStream.range(0, words.size())
                    .filter(i -> words.get(i) != null)
                    .mapToObj(i -> testimony("s" + i, words.get(i)))
                    .toList();
            List<Word> truths = words.stream().filter(Objects::nonNull).toList();
            for (Testimony lie : lies(sentinels)) {
                for (int place = 0; place <= honest.size(); place++) {
                    List<Testimony> said = new ArrayList<>(honest);
                    said.add(place, lie);
                    checkAfterAnyWord(said, truths, sentinels, check);
                }
            }
            checkAfterAnyWord(honest, truths, sentinels, check);
        }
    }

    private static void checkAfterAnyWord(
            List<Testimony> said, List<Word> truths, int sentinels, Consumer<Round> check) {
        for (Word present : TRUE_WORDS) {
            check.accept(new Round(said, truths, present, Vote.of(said, sentinels, present)));
        }
    }

    private static List<Word> words(int combination, int count) {
        List<Word> words = new ArrayList<>();
        for (int i = 0, rest = combination; i < count; i++, rest /= TRUE_WORDS.size()) {
            words.add(TRUE_WORDS.get(rest % TRUE_WORDS.size()));
        }
        return words;
    }

    private static List<Testimony> lies(int sentinels) {
        List<Testimony> lies = new ArrayList<>();
        for (int as = 0; as < sentinels; as++) {
            String id = "s" + as;
            LIES.forEach(lie -> lies.add(testimony(id, lie)));
            lies.add(new Testimony(id, id, null, true, List.of(), Testimony.UNTOLD, ""));
            lies.add(new Testimony(id, id, null, false, List.of(), Testimony.UNTOLD, ""));
        }
        return lies;
    }

    private static Testimony testimony(String id, Word word) {
        return new Testimony(id, id, word, false, List.of(), Testimony.UNTOLD, "");
    }

    private static Testimony naming(String id, String... others) {
        List<Other> named = Arrays.stream(others)
                .map(other -> new Other(other, new Target.Host(other, 26379)))
                .toList();
        return new Testimony(id, id, NEW, false, named, Testimony.UNTOLD, "");
    }
}
