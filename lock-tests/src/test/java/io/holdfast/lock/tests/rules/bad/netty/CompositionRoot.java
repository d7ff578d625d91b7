package io.holdfast.lock.tests.rules.bad.netty;

import io.holdfast.lock.tests.rules.bad.engine.EngineWithNetty;
import org.jspecify.annotations.Nullable;

/** Allowed: this is the composition root. */
class CompositionRoot {
    @Nullable
    EngineWithNetty engine;
}
