package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.netty.BufferLeakExtension;
import io.holdfast.lock.testkit.netty.BufferLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shows that a lost buffer fails the tests of this module. */
@Tag("proof")
class NettyBufferLeakTest {
    @Test
    void aLostBufferIsFound() {
        lose("lost on purpose");
        List<String> leaks = new ArrayList<>();
        await().until(() -> leaks.addAll(BufferLeaks.take()));
        assertThat(leaks).singleElement().asString().contains("lost on purpose");
    }

    @Test
    void aLostBufferFailsTheClass() {
        lose("lost on purpose once more");
        await().untilAsserted(() -> assertThatThrownBy(() -> new BufferLeakExtension().afterAll(null))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("lost on purpose once more"));
    }

    @Test
    void aReleasedBufferIsNone() {
        PooledByteBufAllocator.DEFAULT.directBuffer().release();
        assertThat(BufferLeaks.take()).isEmpty();
    }

    private static void lose(String hint) {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer();
        buffer.touch(hint);
    }
}
