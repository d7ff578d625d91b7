package io.holdfast.lock.netty.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a majority of all Sentinels names, exhausted: all that up to five of them may have said last, at three times, or never,
 * one of which is known under two addresses, does not say who it is, or knows more others than the client.
 */
class WarrantTest {

    private static final Word OLD = new Word(new Target.Host("old", 6379), 4);
    private static final Word NEW = new Word(new Target.Host("new", 6379), 5);

    /** Before the clock's overflow, at it, and after it: only differences mean anything. */
    private static final List<Long> TIMES = List.of(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1);

    /** What one may have said last; null for nothing. */
    private record Saying(Word word, boolean tellsId, boolean tellsOthers, long sentNanos) {}

    /** All that is known of Sentinels at one time. */
    private record Case(List<DatedTestimony> latest, int addresses) {

        Warrant warrant() {
            return Warrant.of(latest, addresses);
        }
    }

    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whatMoreThanHalfOfAllNameCountsAndNothingElse(int sentinels) {
        everyCase(sentinels, each -> {
            Word named = null;
            for (Word word : List.of(OLD, NEW)) {
                named = 2L * voices(each, word).size() > all(each) ? word : named;
            }
            assertThat(each.warrant().word()).as(each::toString).isEqualTo(named);
        });
    }

    /** So many have been asked then, or after that, that these are a majority; and fewer have been asked later. */
    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void itIsAsOldAsTheYoungestMajorityIs(int sentinels) {
        everyCase(sentinels, each -> {
            Warrant warrant = each.warrant();
            if (warrant.word() == null) {
                return;
            }
            List<Long> sent = voices(each, warrant.word());
            long since = warrant.sentNanos();
            assertThat(sent).as(each::toString).contains(since);
            assertThat(2 * sent.stream().filter(time -> time - since >= 0).count())
                    .as(each::toString)
                    .isGreaterThan(all(each));
            assertThat(2 * sent.stream().filter(time -> time - since > 0).count())
                    .as(each::toString)
                    .isLessThanOrEqualTo(all(each));
        });
    }

    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void theLogSaysHowManyThereAreAndHowManyOfThemAreNeeded(int sentinels) {
        everyCase(sentinels, each -> {
            Warrant warrant = each.warrant();
            assertThat(warrant.all()).as(each::toString).isEqualTo(all(each));
            assertThat(2L * warrant.needed()).as(each::toString).isGreaterThan(all(each));
            assertThat(2L * (warrant.needed() - 1)).as(each::toString).isLessThanOrEqualTo(all(each));
            assertThat(warrant.voicesFor(NEW.primary(), TIMES.get(0) - 1))
                    .as(each::toString)
                    .isEqualTo(voices(each, NEW).size());
        });
    }

    @Test
    void oneThatAnswersAloneIsNotEnough() {
        assertThat(Warrant.of(List.of(said("a", NEW, 7)), 3).word()).isNull();
        assertThat(Warrant.of(List.of(said("a", NEW, 7), said("b", NEW, 8)), 3).word())
                .isEqualTo(NEW);
    }

    @Test
    void whatWasSaidLongAgoCountsUntilTheSameOneSaysSomethingElse() {
        List<DatedTestimony> said = List.of(said("a", NEW, 1_000), said("b", NEW, 1));
        Warrant warrant = Warrant.of(said, 3);
        assertThat(warrant.word()).isEqualTo(NEW);
        assertThat(warrant.sentNanos()).isEqualTo(1);
        assertThat(warrant.voicesFor(NEW.primary(), 500)).isEqualTo(1);
    }

    @Test
    void addressAndEpochCountTogether() {
        Word sooner = new Word(NEW.primary(), 6);
        assertThat(Warrant.of(List.of(said("a", NEW, 1), said("b", sooner, 1)), 3)
                        .word())
                .isNull();
    }

    @Test
    void oneUnderThreeAddressesHasOneVoice() {
        List<DatedTestimony> said = List.of(said("a", NEW, 1), said("a", NEW, 2), said("a", NEW, 3));
        assertThat(Warrant.of(said, 5).word()).isNull();
        assertThat(Warrant.of(said, 5).all()).isEqualTo(3);
    }

    @Test
    void oneUnderTwoAddressesNamesWhatItHasNamedLast() {
        List<DatedTestimony> said = List.of(said("a", NEW, 2), said("a", OLD, 1), said("b", NEW, 1));
        assertThat(Warrant.of(said, 3).word()).isEqualTo(NEW);
        said = List.of(said("a", NEW, 1), said("a", OLD, 2), said("b", NEW, 1));
        assertThat(Warrant.of(said, 3).word()).isNull();
    }

    @Test
    void oneThatDoesNotSayWhoItIsIsCountedAndHasNoVoice() {
        List<DatedTestimony> said = List.of(dated("a", "a", NEW, 0, 1), dated("b", "b", NEW, 0, 1));
        Warrant warrant = Warrant.of(said, 2);
        assertThat(warrant.word()).isNull();
        assertThat(warrant.mute()).isEqualTo(2);
        assertThat(warrant.all()).isEqualTo(2);
    }

    @Test
    void whereOneKnowsOfMoreThatIsHowManyThereAre() {
        List<DatedTestimony> said = new ArrayList<>(List.of(said("a", NEW, 1), said("b", NEW, 1)));
        assertThat(Warrant.of(said, 2).word()).isEqualTo(NEW);
        said.add(dated("c", "id of c", OLD, 3, 1));
        assertThat(Warrant.of(said, 3).word()).isNull();
        assertThat(Warrant.of(said, 3).all()).isEqualTo(4);
    }

    @Test
    void oneThatSaysThatThereAreCountlessOthersKeepsAllFromCounting() {
        List<DatedTestimony> said =
                List.of(said("a", NEW, 1), said("b", NEW, 1), dated("c", "id of c", NEW, Integer.MAX_VALUE, 1));
        assertThat(Warrant.of(said, 3).word()).isNull();
        assertThat(Warrant.of(said, 3).all()).isEqualTo(1L << 31);
    }

    @Test
    void aWordWithoutAnEpochCountsForNothing() {
        Word unheardOf = new Word(NEW.primary(), -1);
        assertThat(Warrant.of(List.of(said("a", unheardOf, 1)), 1).word()).isNull();
    }

    @Test
    void noAnswersNameNothing() {
        assertThat(Warrant.of(List.of(), 3).word()).isNull();
        assertThat(Warrant.of(List.of(), 0).word()).isNull();
    }

    // --- another way to count ---

    private static long all(Case known) {
        long heard = known.latest.size();
        long different =
                known.latest.stream().map(each -> each.said().id()).distinct().count();
        long most = known.latest.stream()
                .mapToLong(each -> each.said().otherCount() + 1L)
                .max()
                .orElse(0);
        return Math.max(most, known.addresses - heard + different);
    }

    /** When those were asked that name a primary in the end. */
    private static List<Long> voices(Case known, Word word) {
        Map<String, DatedTestimony> last = new HashMap<>();
        for (long time : TIMES) {
            for (DatedTestimony each : known.latest) {
                if (each.sentNanos() == time
                        && each.said().tellsId()
                        && each.said().otherCount() >= 0) {
                    last.putIfAbsent(each.said().id(), each);
                    if (last.get(each.said().id()).sentNanos() != time) {
                        last.put(each.said().id(), each);
                    }
                }
            }
        }
        return last.values().stream()
                .filter(each -> word.equals(each.said().word()))
                .map(DatedTestimony::sentNanos)
                .toList();
    }

    // --- all there is to say ---

    private static List<Saying> sayings() {
        List<Saying> sayings = new ArrayList<>();
        sayings.add(null);
        sayings.add(new Saying(null, true, false, TIMES.get(0)));
        for (long time : TIMES) {
            sayings.add(new Saying(OLD, true, true, time));
            sayings.add(new Saying(NEW, true, true, time));
        }
        sayings.add(new Saying(NEW, false, true, TIMES.get(2)));
        sayings.add(new Saying(NEW, true, false, TIMES.get(2)));
        return sayings;
    }

    /** The last address is of its own, or the first one's second one; and the first may know one more than there is. */
    private static void everyCase(int sentinels, Consumer<Case> check) {
        List<Saying> sayings = sayings();
        int combinations = (int) Math.pow(sayings.size(), sentinels);
        for (int combination = 0; combination < combinations; combination++) {
            for (boolean twice : new boolean[] {false, true}) {
                for (int more = 0; more < 2; more++) {
                    check.accept(known(sayings, combination, sentinels, twice, more));
                }
            }
        }
    }

    private static Case known(List<Saying> sayings, int combination, int sentinels, boolean twice, int more) {
        List<DatedTestimony> latest = new ArrayList<>();
        for (int i = 0, rest = combination; i < sentinels; i++, rest /= sayings.size()) {
            Saying saying = sayings.get(rest % sayings.size());
            boolean isSecond = twice && i == sentinels - 1;
            if (saying != null) {
                int others = sentinels - 1 - (twice ? 1 : 0) + (i == 0 ? more : 0);
                latest.add(dated("node" + i, isSecond ? "id0" : "id" + i, saying, Math.max(0, others)));
            }
        }
        return new Case(List.copyOf(latest), sentinels);
    }

    private static DatedTestimony dated(String node, String id, Saying saying, int others) {
        return dated(
                node,
                saying.tellsId ? id : node,
                saying.word,
                saying.tellsOthers ? others : Testimony.UNTOLD,
                saying.sentNanos);
    }

    private static DatedTestimony said(String sentinel, Word word, long sentNanos) {
        return dated(sentinel, "id of " + sentinel, word, 0, sentNanos);
    }

    private static DatedTestimony dated(String node, String id, Word word, int others, long sentNanos) {
        boolean knowsNone = Objects.isNull(word);
        return new DatedTestimony(new Testimony(node, id, word, knowsNone, List.of(), others, ""), sentNanos);
    }
}
