package io.holdfast.lock.rules.bad.netty;

import io.holdfast.lock.rules.bad.engine.EngineWithNetty;
import org.jspecify.annotations.Nullable;

/** Allowed: this is the composition root. */
class CompositionRoot {
    @Nullable
    EngineWithNetty engine;
}
