package io.holdfast.lock.tests.rules.bad.netty.resp;

import io.holdfast.lock.tests.rules.bad.engine.EngineWithNetty;
import org.jspecify.annotations.Nullable;

class CodecThatSeesTheEngine {
    @Nullable
    EngineWithNetty engine;
}
