package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

class ReusedBufferTest {

    private final ReusedBuffer buffer = new ReusedBuffer(16);

    @Test
    void isTheSameAgainAndEmptyOnceItWasGivenBack() {
        ByteBuf first = buffer.take();
        first.writeLong(42);
        first.release();

        ByteBuf second = buffer.take();

        assertThat(second).isSameAs(first);
        assertThat(second.readableBytes()).isZero();
        second.release();
        buffer.release();
        assertThat(second.refCnt()).isZero();
    }

    @Test
    void isAnotherOneAsLongAsSomebodyHasTheFirst() {
        ByteBuf first = buffer.take();
        first.writeLong(42);

        ByteBuf second = buffer.take();
        second.writeLong(7);

        assertThat(first.readLong()).isEqualTo(42);
        first.release();
        second.release();
        buffer.release();
        assertThat(first.refCnt()).isZero();
        assertThat(second.refCnt()).isZero();
    }

    @Test
    void isNotKeptWhenOneMessageMadeItLarge() {
        ByteBuf large = buffer.take();
        large.writeZero(65 << 10);
        large.release();

        ByteBuf next = buffer.take();

        assertThat(next.capacity()).isEqualTo(16);
        assertThat(large.refCnt()).isZero();
        next.release();
        buffer.release();
    }

    @Test
    void outlivesItsOwnerWhereTheChannelStillHasIt() {
        ByteBuf taken = buffer.take();

        buffer.release();
        buffer.release();

        assertThat(taken.refCnt()).isEqualTo(1);
        taken.release();
        assertThat(taken.refCnt()).isZero();
    }
}
