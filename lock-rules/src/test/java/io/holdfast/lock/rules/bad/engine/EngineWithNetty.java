package io.holdfast.lock.rules.bad.engine;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Public, and on no list of what may be. */
public class EngineWithNetty {
    @Nullable
    ByteBuf buffer;
}
