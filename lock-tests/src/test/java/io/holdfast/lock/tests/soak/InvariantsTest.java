package io.holdfast.lock.tests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the soak looks for, it finds: in made-up claims, good and bad. */
@Tag("proof")
class InvariantsTest {

    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Invariants invariants = new Invariants(MEMORY_NANOS);

    @Test
    void turnsThatFollowEachOtherAreFineInWhateverOrderTheyComeIn() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            claims.add(write(10 * i, 10 * i + 9, i, i));
        }
        Collections.shuffle(claims, new Random(5));

        claims.forEach(invariants::accept);
        invariants.acceptFinalCount("x", 100);

        assertThat(invariants.violations()).isEmpty();
    }

    @Test
    void otherLocksAreOtherMatters() {
        invariants.accept(claim(0, 10, 5));
        invariants.accept(new Claim("y", "b", 5, 15, 4, 0, false));

        assertThat(invariants.violations()).isEmpty();
    }

    @Test
    void twoValidHoldersAreFound() {
        invariants.accept(claim(0, 10, 1));
        invariants.accept(claim(10, 20, 2));

        assertThat(invariants.violations()).singleElement().asString().contains("two valid holders");
    }

    @Test
    void twoValidHoldersAreFoundWhenTheEarlierIsToldOfLater() {
        invariants.accept(claim(10, 20, 2));
        invariants.accept(claim(0, 100, 1));

        assertThat(invariants.violations()).singleElement().asString().contains("two valid holders");
    }

    @Test
    void twoThatBeganAtTheSameTimeAreFound() {
        invariants.accept(claim(0, 10, 1));
        invariants.accept(claim(0, 5, 2));

        assertThat(invariants.violations()).singleElement().asString().contains("two valid holders");
    }

    @Test
    void aTokenThatFallsOrStaysIsFound() {
        invariants.accept(claim(0, 10, 7));
        invariants.accept(claim(11, 20, 6));
        invariants.accept(claim(21, 30, 6));

        assertThat(invariants.violations()).hasSize(2).allMatch(text -> text.contains("does not increase"));
    }

    /** A client that goes on after its validity, and writes what it read before, without its token's leave. */
    @Test
    void aClientThatIgnoresItsLossIsFound() {
        invariants.accept(write(0, 10, 1, 8));
        invariants.accept(write(50, 60, 3, 9));
        // Paused from 20 to 70, with the counter read as 8.
        invariants.accept(write(11, 20, 2, 9));

        assertThat(invariants.violations()).singleElement().asString().contains("a lost update");
    }

    @Test
    void anOverwrittenUpdateIsFoundInTheFinalCount() {
        invariants.accept(write(0, 10, 1, 1));
        invariants.accept(write(11, 20, 2, 2));
        invariants.acceptFinalCount("x", 1);

        assertThat(invariants.violations()).singleElement().asString().contains("its counter is 1 after 2 writes");
    }

    @Test
    void aCounterThatRoseByItselfIsFound() {
        invariants.accept(write(0, 10, 1, 1));
        invariants.acceptFinalCount("x", 2);

        assertThat(invariants.violations()).hasSize(1);
    }

    @Test
    void anUnknownWriteMayHaveBeenAppliedOrNot() {
        invariants.accept(write(0, 10, 1, 1));
        invariants.accept(new Claim("x", "a", 11, 20, 2, 0, true));
        invariants.acceptFinalCount("x", 1);
        invariants.acceptFinalCount("x", 2);
        assertThat(invariants.violations()).isEmpty();

        invariants.acceptFinalCount("x", 3);
        assertThat(invariants.violations()).hasSize(1);
    }

    @Test
    void aGrantThatWasNeverSeenValidClaimsNothing() {
        invariants.accept(claim(0, 10, 1));
        invariants.accept(claim(5, 4, 2));

        assertThat(invariants.violations()).isEmpty();
    }

    @Test
    void memoryIsBoundedAndTheNewestOfTheOldIsStillCompared() {
        invariants.accept(claim(0, 10, 50));
        invariants.accept(claim(20, 30, 60));
        invariants.accept(claim(3 * MEMORY_NANOS, 3 * MEMORY_NANOS + 10, 55));

        assertThat(invariants.violations()).singleElement().asString().contains("does not increase");
    }

    @Test
    void aClaimSurvivesItsLine() {
        Claim claim = new Claim("x:1", "jvm2.3/17", 123, 456, 789, 12, true);

        assertThat(Claim.parse(claim.line())).isEqualTo(claim);
    }

    private static Claim claim(long firstNanos, long lastNanos, long token) {
        return new Claim("x", "a", firstNanos, lastNanos, token, 0, false);
    }

    private static Claim write(long firstNanos, long lastNanos, long token, long written) {
        return new Claim("x", "a", firstNanos, lastNanos, token, written, false);
    }
}
