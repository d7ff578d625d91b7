package io.holdfast.lock.testkit.netty;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class after which Netty finds a leak. For every class of a module: name it in {@code
 * META-INF/services/org.junit.jupiter.api.extension.Extension} and let JUnit detect extensions.
 *
 * <p>A leak is seen when the lost buffer is garbage, so it may be told with a later class than the one that lost it; its
 * text says where the buffer was.
 */
public final class BufferLeakExtension implements AfterAllCallback {
    /** Made by JUnit before any test class runs. */
    public BufferLeakExtension() {
        BufferLeaks.watch();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> leaks = BufferLeaks.take();
        if (!leaks.isEmpty()) {
            throw new AssertionError("leaked: " + leaks.size() + " (expected: 0)\n" + String.join("\n", leaks));
        }
    }
}
