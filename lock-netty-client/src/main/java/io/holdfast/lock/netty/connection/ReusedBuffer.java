package io.holdfast.lock.netty.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that is used again as soon as it has no other owner any more.
 *
 * <p>A connection has one for what it sends and one for what arrives, and in steady state allocates no other. That also
 * spares a client Netty's pools, which take as long to set up as everything else that comes before the first lock.
 *
 * <p>Belongs to the connection's event loop.
 */
final class ReusedBuffer {

    /** What grew beyond this, for one large message, is not kept. */
    private static final int MOST_KEPT_BYTES = 64 << 10;

    private final int bytes;
    private @Nullable ByteBuf kept;

    /** @param bytes how large it is at first */
    ReusedBuffer(int bytes) {
        this.bytes = bytes;
    }

    /** The allocator for channels whose buffers are of this kind. */
    static ByteBufAllocator allocator() {
        return UnpooledByteBufAllocator.DEFAULT;
    }

    /** An empty buffer; the caller releases it. */
    ByteBuf take() {
        ByteBuf buffer = kept;
        if (buffer == null || buffer.refCnt() > 1 || buffer.capacity() > MOST_KEPT_BYTES) {
            release();
            buffer = allocator().directBuffer(bytes);
            kept = buffer;
        }
        return buffer.clear().retain();
    }

    /** Keeps nothing any more. */
    void release() {
        ByteBuf buffer = kept;
        if (buffer != null) {
            kept = null;
            buffer.release();
        }
    }

    /** Lets a channel read into this buffer. */
    RecvByteBufAllocator forReading() {
        return new DefaultMaxMessagesRecvByteBufAllocator() {
            @Override
            @SuppressWarnings("deprecation") // the type that the method has in Netty itself
            public Handle newHandle() {
                return new MaxMessageHandle() {
                    @Override
                    public int guess() {
                        return bytes;
                    }

                    @Override
                    public ByteBuf allocate(ByteBufAllocator unused) {
                        return take();
                    }
                };
            }
        };
    }
}
