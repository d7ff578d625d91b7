package io.holdfast.lock.tests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leak climbs out of the noise. */
@Tag("proof")
class FlatnessTest {

    private static final int SAMPLES = 60;
    private static final long MEGABYTE = 1 << 20;

    private final Random random = new Random(3);

    @Test
    void noiseAndWarmingUpAreFlat() {
        Flatness heap = Flatness.ofHeap("jvm");
        for (int i = 0; i < SAMPLES; i++) {
            heap.add((i == 0 ? 5 : 12) * MEGABYTE + random.nextInt((int) MEGABYTE));
        }
        assertThat(heap.complaint()).isEmpty();
    }

    @Test
    void aHeapThatClimbsIsNot() {
        Flatness heap = Flatness.ofHeap("jvm");
        for (int i = 0; i < SAMPLES; i++) {
            heap.add(12 * MEGABYTE + i * MEGABYTE / 4 + random.nextInt((int) MEGABYTE));
        }
        assertThat(heap.complaint())
                .get()
                .asString()
                .contains("jvm, heap in bytes")
                .contains("expected: at most");
    }

    @Test
    void descriptorsThatClimbAreNot() {
        Flatness descriptors = Flatness.ofDescriptors("jvm");
        for (int i = 0; i < SAMPLES; i++) {
            descriptors.add(40 + i / 3 + random.nextInt(3));
        }
        assertThat(descriptors.complaint()).isPresent();
    }

    @Test
    void onePeakIsForgiven() {
        Flatness descriptors = Flatness.ofDescriptors("jvm");
        for (int i = 0; i < SAMPLES; i++) {
            descriptors.add(i == 50 ? 400 : 40);
        }
        assertThat(descriptors.complaint()).isEmpty();
    }

    @Test
    void tooFewSamplesTellNothing() {
        Flatness descriptors = Flatness.ofDescriptors("jvm");
        for (int i = 1; i < Flatness.FEWEST_SAMPLES; i++) {
            descriptors.add(100L * i);
        }
        assertThat(descriptors.complaint()).isEmpty();
        assertThat(descriptors.canTell()).isFalse();
    }
}
