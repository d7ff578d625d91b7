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
            Assumptions.assumeTrue(
                    DockerClientFactory.instance().isDockerAvailable() && System.getProperty(IMAGE_PROPERTY) != null,
                    "no container engine answers, or -Dholdfast.redis.image does not say which image to run");
        }
    }

    static String host() {
        return DockerClientFactory.instance().dockerHostIpAddress();
    }
}
