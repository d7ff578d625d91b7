package io.holdfast.lock.examples.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void firstColumnIsLeftAlignedAndTheOthersRight() {
        Table table =
                new Table("lock", "sold", "oversold").row("none", 12, "+2").row("a longer name", 1_000, 0);
        assertThat(table.lines())
                .containsExactly(
                        "lock           sold  oversold",
                        "-------------  ----  --------",
                        "none             12        +2",
                        "a longer name  1000         0");
    }

    @Test
    void stylesDoNotCountAsWidth() {
        Table table = new Table("a", "bbb").row("x", new Table.Cell("1", text -> "<" + text + ">"));
        assertThat(table.lines()).containsExactly("a  bbb", "-  ---", "x  <  1>");
    }

    @Test
    void refusesARowOfAnotherWidth() {
        assertThatThrownBy(() -> new Table("a", "b").row("only one"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cells: 1 (expected: 2, one per column)");
    }
}
