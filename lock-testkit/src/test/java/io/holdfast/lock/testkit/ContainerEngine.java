package io.holdfast.lock.testkit;

import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;

/** Whether the tests of the container source can run here. */
final class ContainerEngine {
    /** Set where an engine was started for the tests: they must run then, and not be skipped. */
    private static final String EXPECTED = "holdfast.redis.expectDocker";

    static final String IMAGE_PROPERTY = "holdfast.redis.image";

    private ContainerEngine() {}

    static void assumePresent() {
        if (!Boolean.getBoolean(EXPECTED)) {
            // In this order: asking for the engine starts the reaper, whose image may not be there.
            Assumptions.assumeTrue(
                    System.getProperty(IMAGE_PROPERTY) != null,
                    "-Dholdfast.redis.image does not say which image to run");
            Assumptions.assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no container engine answers");
        }
    }

    static String host() {
        return DockerClientFactory.instance().dockerHostIpAddress();
    }
}
