package io.holdfast.lock.rules.bad.micrometer;

import io.holdfast.lock.rules.bad.engine.EngineWithNetty;

/** Breaks: an integration uses the API. */
interface MetersThatSeeTheEngine {
    EngineWithNetty engine();
}
