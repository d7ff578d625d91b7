package io.holdfast.lock.testkit.netty;

import io.holdfast.lock.testkit.RedisExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves anything behind: a thread, a TCP socket, a buffer that is not released, or, on servers
 * of a {@link RedisExtension}, a connection and with it its subscriptions. For every class of a module: name it in {@code
 * META-INF/services/org.junit.jupiter.api.extension.Extension} and let JUnit detect extensions.
 *
 * <p>What a class closes may take its time to go, so all of it is waited for. What is left is told once: the next class
 * begins with it. A nested class is part of the class around it. For classes that run one after the other.
 */
public final class LeftoversExtension implements BeforeAllCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private final Duration patience;
    private @Nullable InUse before;

    /** Made by JUnit before any test class runs. */
    public LeftoversExtension() {
        this(PATIENCE);
    }

    LeftoversExtension(Duration patience) {
        this.patience = patience;
        BufferLeaks.watch();
        RedisExtension.expectNoConnectionsLeft();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isOutermost(context)) {
            before = InUse.now();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        InUse start = before;
        if (!isOutermost(context) || start == null) {
            return;
        }
        List<String> left = leftSince(start, patience);
        if (!left.isEmpty()) {
            throw new AssertionError(context.getDisplayName() + " left behind " + left.size() + " (expected: nothing)\n"
                    + String.join("\n", left));
        }
    }

    /** Waits until nothing is in use that was not in use before; what still is then, in words. */
    static List<String> leftSince(InUse start, Duration patience) {
        long beginNanos = System.nanoTime();
        List<String> left = InUse.now().beyond(start);
        while (!left.isEmpty() && System.nanoTime() - beginNanos < patience.toNanos()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY.toMillis()));
            left = InUse.now().beyond(start);
        }
        return left;
    }

    private static boolean isOutermost(ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isEmpty();
    }
}
