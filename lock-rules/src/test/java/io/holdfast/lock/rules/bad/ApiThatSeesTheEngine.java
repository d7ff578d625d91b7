package io.holdfast.lock.rules.bad;

import io.holdfast.lock.rules.bad.engine.EngineWithNetty;
import org.jspecify.annotations.Nullable;

class ApiThatSeesTheEngine {
    @Nullable
    EngineWithNetty engine;
}
