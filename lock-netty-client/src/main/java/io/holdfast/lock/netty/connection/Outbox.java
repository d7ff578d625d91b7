package io.holdfast.lock.netty.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** What is to be written to one channel, collected until it is worth a system call. */
final class Outbox {

    /** What is collected goes to the channel when it is this large; there it counts towards the write limits. */
    private static final int BATCH_BYTES = 16 << 10;

    /** A buffer of this size takes many short commands; it grows where one is longer. */
    private static final int SEND_BYTES = 4 << 10;

    private final ReusedBuffer buffer = new ReusedBuffer(SEND_BYTES);
    private @Nullable ByteBuf batch;

    /** Takes whole commands; call {@link #written} after each. */
    ByteBuf out() {
        if (batch == null) {
            batch = buffer.take();
        }
        return batch;
    }

    void written(ChannelHandlerContext channel) {
        if (batch != null && batch.readableBytes() >= BATCH_BYTES) {
            passOn(channel);
        }
    }

    /** Hands what was collected to the channel, which has yet to be flushed. */
    void passOn(ChannelHandlerContext channel) {
        ByteBuf collected = batch;
        if (collected != null) {
            batch = null;
            channel.write(collected, channel.voidPromise());
        }
    }

    /** The channel is gone. */
    void release() {
        if (batch != null) {
            batch.release();
            batch = null;
        }
        buffer.release();
    }
}
