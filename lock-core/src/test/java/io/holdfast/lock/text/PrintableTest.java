package io.holdfast.lock.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "stock:42", "Lager für Öl", "在庫", "склад", "\uD83D\uDD12", "a\\b", "x\u00a0y\u3000z"})
    void ordinaryTextStaysAsItIs(String text) {
        assertThat(Printable.of(text)).isSameAs(text);
    }

    @ParameterizedTest
    @CsvSource({
        "000a", "000d", "001b", "0000", "007f", "0085", "009b", "00ad", "200b", "200e", "2028", "2029", "202e", "2066",
        "feff", "e000", "0378", "fffe", "d83d", "dd12"
    })
    void whatIsNotSeenIsWrittenInDigits(String digits) {
        char odd = (char) Integer.parseInt(digits, 16);
        assertThat(Printable.of("a" + odd + "b")).isEqualTo("a\\u" + digits + "b");
    }

    @Test
    void aHiddenTagOutsideTheBasicPlaneIsTwoUnits() {
        assertThat(Printable.of("a" + Character.toString(0xE0041))).isEqualTo("a\\udb40\\udc41");
    }

    @Test
    void nullIsAWord() {
        assertThat(Printable.of(null)).isEqualTo("null");
        assertThat(Printable.message(null)).isEqualTo("null");
    }

    @Test
    void aNameHasThreeHundredCharactersAtMost() {
        assertThat(Printable.of("x".repeat(300))).isEqualTo("x".repeat(300));
        assertThat(Printable.of("x".repeat(301))).isEqualTo("x".repeat(297) + "...");
        assertThat(Printable.of("\n".repeat(100_000))).hasSize(6 * 49 + 3).endsWith("\\u000a...");
    }

    @Test
    void aMessageHasTwoThousandCharactersAtMost() {
        assertThat(Printable.message("x".repeat(2_000))).hasSize(2_000).endsWith("x");
        assertThat(Printable.message("x".repeat(2_001))).hasSize(2_000).endsWith("x...");
    }

    @Test
    void noCharacterIsCutInTwo() {
        String text = "x".repeat(296) + "\uD83D\uDD12".repeat(10);
        assertThat(Printable.of(text)).isEqualTo("x".repeat(296) + "...");
    }

    @Test
    void whatWasShownBeforeIsShownAsItIs() {
        for (String text : new String[] {"a\nb", "\u202e".repeat(1_000), "y".repeat(1_000), "\uD83D"}) {
            String once = Printable.of(text);
            assertThat(Printable.of(once)).isEqualTo(once);
            assertThat(Printable.message(once)).isEqualTo(once);
        }
    }
}
