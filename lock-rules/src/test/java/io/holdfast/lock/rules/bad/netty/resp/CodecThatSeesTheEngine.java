package io.holdfast.lock.rules.bad.netty.resp;

import io.holdfast.lock.rules.bad.engine.EngineWithNetty;
import org.jspecify.annotations.Nullable;

class CodecThatSeesTheEngine {
    @Nullable
    EngineWithNetty engine;
}
