package io.holdfast.lock.testkit.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Whatever a class of tests leaves behind is found, and named. */
class LeftoversExtensionTest {
    private static final Duration A_MOMENT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(10);

    static {
        BufferLeaks.watch();
    }

    private final InUse start = InUse.now();

    @Test
    void aThreadIsFoundUntilItEnds() {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> waitFor(end), "left-behind");
        thread.setDaemon(true);
        thread.start();
        assertThat(LeftoversExtension.leftSince(start, A_MOMENT)).containsExactly("thread left-behind");

        end.countDown();
        assertThat(LeftoversExtension.leftSince(start, LONG)).isEmpty();
    }

    @Test
    void aSocketIsFoundUntilItIsClosed() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/net")), "this system does not show its sockets");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(LeftoversExtension.leftSince(start, A_MOMENT))
                    .containsExactly("socket :" + socket.getLocalPort() + " -> :0");
        }
        assertThat(LeftoversExtension.leftSince(start, LONG)).isEmpty();
    }

    @Test
    void aBufferIsFoundUntilItIsReleased() {
        ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer();
        assertThat(LeftoversExtension.leftSince(start, A_MOMENT)).containsExactly("1 buffers");

        buffer.release();
        assertThat(LeftoversExtension.leftSince(start, LONG)).isEmpty();
    }

    @Test
    void whatIsLeftFailsTheClassAndNotTheNext() {
        LeftoversExtension extension = new LeftoversExtension(A_MOMENT);
        extension.beforeAll(contextOf("SloppyTest"));
        ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer();
        assertThatThrownBy(() -> extension.afterAll(contextOf("SloppyTest")))
                .isInstanceOf(AssertionError.class)
                .hasMessage("SloppyTest left behind 1 (expected: nothing)\n1 buffers");

        extension.beforeAll(contextOf("TidyTest"));
        extension.afterAll(contextOf("TidyTest"));
        buffer.release();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobody) {
            throw new IllegalStateException(nobody);
        }
    }

    private static ExtensionContext contextOf(String name) {
        return (ExtensionContext) Proxy.newProxyInstance(
                LeftoversExtensionTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) -> method.getName().equals("getDisplayName") ? name : Optional.empty());
    }
}
