package io.holdfast.lock.tests.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A patch changes what it says or nothing, and a refusal says why. */
class PatchTest {
    private static final String PATH = "lock-core/src/main/java/A.java";
    private static final String TEXT = "one\ntwo\nthree\nfour\nfive\n";

    @Test
    void changesWhatItSays() throws PatchRefused {
        Patch patch = patch("@@ -2,3 +2,3 @@", " two", "-three", "+THREE", " four");
        assertThat(patch.applyTo(PATH, TEXT)).isEqualTo("one\ntwo\nTHREE\nfour\nfive\n");
    }

    @Test
    void leavesOtherFilesAlone() throws PatchRefused {
        Patch patch = patch("@@ -2,3 +2,3 @@", " two", "-three", "+THREE", " four");
        assertThat(patch.applyTo("lock-core/src/main/java/B.java", TEXT)).isEqualTo(TEXT);
    }

    @Test
    void findsLinesThatHaveMoved() throws PatchRefused {
        Patch patch = patch("@@ -2,3 +2,3 @@", " two", "-three", "+THREE", " four");
        assertThat(patch.applyTo(PATH, "zero\nhalf\n" + TEXT)).isEqualTo("zero\nhalf\none\ntwo\nTHREE\nfour\nfive\n");
    }

    @Test
    void countsOnAfterAHunkThatAddsLines() throws PatchRefused {
        Patch patch = patch("@@ -1,2 +1,3 @@", " one", "+and a half", " two", "@@ -4,2 +5,1 @@", " four", "-five");
        assertThat(patch.applyTo(PATH, TEXT)).isEqualTo("one\nand a half\ntwo\nthree\nfour\n");
    }

    @Test
    void isRefusedWhenAContextLineHasChanged() throws PatchRefused {
        Patch patch = patch("@@ -2,3 +2,3 @@", " two", "-three", "+THREE", " four");
        assertThatThrownBy(() -> patch.applyTo(PATH, TEXT.replace("four", "vier")))
                .isInstanceOf(PatchRefused.class)
                .hasMessage(PATH + ": the lines at 2 are not there:\n  line 4: vier\n  expected:four");
    }

    @Test
    void isRefusedWhenItsPlaceIsInDoubt() throws PatchRefused {
        Patch patch = patch("@@ -2,1 +2,1 @@", "-two", "+TWO");
        assertThatThrownBy(() -> patch.applyTo(PATH, "zero\n" + TEXT + TEXT))
                .isInstanceOf(PatchRefused.class)
                .hasMessageContaining("there are several like them: [3, 8] (expected: one)");
    }

    @Test
    void isRefusedWhenItDoesNotCountRight() {
        assertThatThrownBy(() -> patch("@@ -2,3 +2,3 @@", " two", "-three", "+THREE"))
                .isInstanceOf(PatchRefused.class)
                .hasMessage("@@ -2,3 +2,3 @@: 2 lines on the side of - (expected: 3)");
    }

    @Test
    void isRefusedWhenItMovesAFile() {
        List<String> lines = List.of("--- " + PATH, "+++ lock-core/src/main/java/B.java");
        assertThatThrownBy(() -> Patch.parse(lines))
                .isInstanceOf(PatchRefused.class)
                .hasMessageContaining("files stay where they are");
    }

    @Test
    void isRefusedWhenItIsNoDiff() {
        assertThatThrownBy(() -> Patch.parse(List.of("int a = 1;")))
                .isInstanceOf(PatchRefused.class)
                .hasMessage("line 1 of the diff: int a = 1; (expected: a file or a hunk)");
    }

    private static Patch patch(String... body) throws PatchRefused {
        List<String> lines = new java.util.ArrayList<>(List.of("--- " + PATH, "+++ " + PATH));
        lines.addAll(List.of(body));
        return Patch.parse(lines);
    }
}
