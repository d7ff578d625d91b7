package io.holdfast.lock.engine.hold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which levels of a hold are renewed, and which belong to a MultiLock. */
class LevelsTest {

    private final Levels levels = new Levels();

    @Test
    void aLevelOfAMultiLockGoesWhereverItStands() {
        levels.push(false, "multi");
        levels.push(true, null);

        assertThat(levels.raise("multi")).isTrue();
        levels.pop();

        assertThat(levels.size()).isEqualTo(1);
        assertThat(levels.anyWatched()).isTrue();
        assertThat(levels.hasOneOf("multi")).isFalse();
        assertThat(levels.raise("multi")).isFalse();
    }

    @Test
    void ofTwoLevelsOfAMultiLockTheNewerGoesFirst() {
        levels.push(true, "multi");
        levels.push(false, "other");
        levels.push(false, "multi");
        levels.raise("multi");
        levels.pop();
        assertThat(levels.anyWatched()).isTrue();
        assertThat(levels.hasOneOf("multi")).isTrue();
    }

    @Test
    void twoCallsOfAMultiLockFixALevelEach() {
        levels.push(true, "multi");
        levels.push(true, "multi");

        levels.unwatch("multi");
        levels.unwatch("multi");

        assertThat(levels.anyWatched()).isFalse();
    }

    @Test
    void oneCallsLevelIsGivenAndTheOthersIsNot() {
        levels.push(true, "multi");
        levels.push(true, "multi");
        levels.unwatch("multi");
        assertThat(levels.anyFixedAndGiven()).as("it is still being collected").isFalse();

        levels.give(true, "multi");
        assertThat(levels.anyFixedAndGiven())
                .as("the other call's level was given")
                .isFalse();
        levels.give(false, "multi");

        assertThat(levels.anyFixedAndGiven()).isTrue();
    }

    @Test
    void onlyTheMultiLocksOwnLevelIsFixed() {
        levels.push(true, "multi");
        levels.unwatch("multi");
        assertThat(levels.anyWatched()).isFalse();
        levels.push(true, null);
        levels.unwatch("multi");
        assertThat(levels.anyWatched()).isTrue();
        assertThat(levels.size()).isEqualTo(2);
    }
}
