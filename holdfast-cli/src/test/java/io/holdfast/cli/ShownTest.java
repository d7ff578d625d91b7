package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations, columns and JSON. */
class ShownTest {

    @ParameterizedTest
    @CsvSource({
        "PT-1S,0ms",
        "PT0.85S,850ms",
        "PT12.39S,12.3s",
        "PT4M5S,4m05s",
        "PT2H3M,2h03m",
        "PT76H30M,3d04h",
    })
    void durationsAreShort(Duration duration, String shown) {
        assertThat(Cells.shortly(duration)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 36, 60, 80, 200})
    void theHeaderIsAsWideAsTheScreen(int width) {
        assertThat(new LockTable(width).header()).hasSize(width);
    }

    @Test
    void wideCharactersTakeTwoColumns() {
        assertThat(Cells.fit("\u9501\u9501", 6)).isEqualTo("\u9501\u9501  ");
        assertThat(Cells.fit("\u9501\u9501\u9501", 4)).isEqualTo("\u9501~ ");
        assertThat(Cells.cut("abc", 0)).isEmpty();
    }

    @Test
    void theManualHasEachCommandWithItsOptions() {
        Ran manual = Ran.of("generate-man");
        assertThat(manual.status()).isZero();
        assertThat(manual.out())
                .startsWith(".TH HOLDFAST 1 ")
                .contains("\n.SS holdfast lock\n.B holdfast lock [", "\n.B \\-\\-lease TIME\n")
                .doesNotContain("${", "%n");
    }

    @Test
    void jsonIsOneLineOfAscii() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", "a\n\"\u00e9\\");
        object.put("none", Optional.empty());
        object.put("list", Arrays.asList(1, null, true));
        object.put("empty", Map.of());
        assertThat(Json.of(List.of(object)))
                .isEqualTo(
                        "[{\"name\":\"a\\u000a\\\"\\u00e9\\\\\",\"none\":null,\"list\":[1,null,true],\"empty\":{}}]");
    }
}
