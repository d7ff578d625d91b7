package io.holdfast.lock.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeLanesTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void thePictureShowsWhatEachNodeGrantedWhichIsDeadAndTheMove() {
        NodeLanes lanes = new NodeLanes();
        lanes.look(0, Map.of(), Set.of("A"), Set.of(), false);
        lanes.look(SECOND, Map.of("A", 100L), Set.of("A"), Set.of(), true);
        lanes.look(2 * SECOND, Map.of("A", 100L), Set.of("A"), Set.of("A"), false);
        lanes.look(4 * SECOND, Map.of("A", 100L, "D", 300L), Set.of("D"), Set.of("A"), false);
        List<String> lines = lanes.lines(List.of("A", "D"));
        assertThat(lines).hasSize(4).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(lines.get(0)).matches(" +node A +[.:|#] +x+");
        assertThat(lines.get(1)).matches(" +node D +-+#");
        assertThat(lines.get(2)).matches(" +move +>+");
        assertThat(lines.get(3)).matches(" +0 s +4\\.0 s");
    }

    @Test
    void theRateIsThatOfTheLastSecond() {
        NodeLanes lanes = new NodeLanes();
        assertThat(lanes.rate("A")).isZero();
        lanes.look(0, Map.of("A", 0L), Set.of("A"), Set.of(), false);
        lanes.look(3 * SECOND, Map.of("A", 900L), Set.of("A"), Set.of(), false);
        lanes.look(4 * SECOND, Map.of("A", 950L), Set.of("A"), Set.of(), false);
        assertThat(lanes.rate("A")).isEqualTo(50);
    }

    @Test
    void thereIsNoPictureOfNothing() {
        assertThat(new NodeLanes().lines(List.of("A"))).isEmpty();
    }
}
