package io.holdfast.lock.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LanesTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void thePictureShowsWhoIsNamedByHowManyAndWhoIsDead() {
        Lanes lanes = new Lanes();
        lanes.look(0, Map.of("A", 3), List.of(), 0, null);
        lanes.look(10 * SECOND, Map.of("A", 3), List.of("A"), 100, null);
        lanes.look(20 * SECOND, Map.of("B", 1, "A", 2), List.of("A"), 100, null);
        lanes.look(30 * SECOND, Map.of("B", 3), List.of("A"), 100, null);
        lanes.look(40 * SECOND, Map.of("B", 3), List.of("A"), 300, null);
        List<String> lines = lanes.lines(List.of("A", "B"));
        assertThat(lines).hasSize(4).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(lines.get(0).strip()).matches("server A  3+x+");
        assertThat(lines.get(1)).matches("server B  -+1+3+");
        assertThat(lines.get(2)).matches("granted +[.:|] +#");
        assertThat(lines.get(3)).matches(" +0 s +40\\.0 s");
    }

    @Test
    void thereIsNoPictureOfNothing() {
        assertThat(new Lanes().lines(List.of("A"))).isEmpty();
    }
}
