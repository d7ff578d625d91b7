package io.holdfast.lock.examples.permits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CourseTest {

    private final Course course = new Course();

    @Test
    void theMostOfATimeIsAlsoWhatWasOpenBeforeIt() {
        course.add(10, 2);
        course.add(20, 3);
        course.add(30, 1);
        assertThat(course.most()).isEqualTo(3);
        assertThat(course.mostBetween(0, 10)).isZero();
        assertThat(course.mostBetween(12, 18)).isEqualTo(2);
        assertThat(course.mostBetween(25, 40)).isEqualTo(3);
        assertThat(course.mostBetween(30, 40)).isEqualTo(1);
        assertThat(course.mostBetween(90, 99)).isEqualTo(1);
        assertThat(course.digits(0, 10, 5)).isEqualTo("02311");
    }

    @Test
    void fullAgainIsTheFirstTimeAfterTheKill() {
        course.add(10, 2);
        course.add(20, 1);
        course.add(30, 2);
        course.add(40, 2);
        assertThat(course.firstAfter(15, 2)).hasValue(30);
        assertThat(course.firstAfter(15, 3)).isEmpty();
        assertThat(course.firstAfter(40, 2)).isEmpty();
    }
}
