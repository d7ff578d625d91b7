package io.holdfast.lock.testkit.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What a build shows of each test class. */
class ClassLinesTest {

    @Test
    void aClassIsOneLineAndItsNestedClassesArePartOfIt() {
        assertThat(linesOf(true, Several.class))
                .containsPattern("^ +\\d+\\.\\d s +2 tests  \\S+ClassLinesTest\\$Several\\R$");
    }

    @Test
    void whatFailedAndWhatWasSkippedIsTold() {
        assertThat(linesOf(true, Mixed.class)).contains("2 tests", "$Mixed, 1 skipped, 1 FAILED");
    }

    @Test
    void nothingIsPrintedUnlessItIsWanted() {
        assertThat(linesOf(false, Several.class)).isEmpty();
    }

    private static String linesOf(boolean isWanted, Class<?> tests) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ClassLines lines = new ClassLines(isWanted, new PrintStream(printed, true, StandardCharsets.UTF_8));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(tests))
                .build();
        // A launcher of its own would find the listener of this build as well.
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(request, lines);
        return printed.toString(StandardCharsets.UTF_8);
    }

    static class Several {
        @Test
        void passes() {}

        @Nested
        class Inner {
            @Test
            void passesToo() {}
        }
    }

    /** Run by the test above only: no build looks for tests in a class within a class. */
    static class Mixed {
        @Test
        void fails() {
            assertThat(1).isEqualTo(2);
        }

        @Test
        void isSkipped() {
            Assumptions.assumeTrue(false);
        }
    }
}
