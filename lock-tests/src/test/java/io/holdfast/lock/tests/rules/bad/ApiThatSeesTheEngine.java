package io.holdfast.lock.tests.rules.bad;

import io.holdfast.lock.tests.rules.bad.engine.EngineWithNetty;
import org.jspecify.annotations.Nullable;

class ApiThatSeesTheEngine {
    @Nullable
    EngineWithNetty engine;
}
