package io.holdfast.lock.rules.bad.memory;

import io.netty.buffer.ByteBuf;

/** Breaks: locks in memory need no transport. */
interface MemoryWithNetty {
    ByteBuf buffer();
}
