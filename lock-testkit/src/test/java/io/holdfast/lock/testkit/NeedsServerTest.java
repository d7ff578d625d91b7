package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class NeedsServerTest {

    /** Played by the test below only: its name is none that a build looks for. */
    static class Features {
        @Test
        @NeedsServer(major = 99, minor = 1, because = "locks that nobody loses")
        void ofTheFuture() {}

        @Test
        @NeedsServer(major = 6, minor = 2, because = "the oldest that is supported")
        void ofToday() {}
    }

    @Test
    void aTestThatNeedsANewerServerIsSkippedWithTheReason() {
        List<String> heard = new ArrayList<>();
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(Features.class))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionSkipped(TestIdentifier test, String reason) {
                                heard.add(test.getDisplayName() + ": " + reason);
                            }

                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest()) {
                                    heard.add(test.getDisplayName() + ": " + result.getStatus());
                                }
                            }
                        });
        Installation here = Installations.find(RedisSource.forced());
        assertThat(heard)
                .containsExactlyInAnyOrder(
                        "ofToday(): SUCCESSFUL",
                        "ofTheFuture(): needs a server from 99.1 on: locks that nobody loses (here: " + here.version()
                                + ", " + here.source() + ")");
    }
}
