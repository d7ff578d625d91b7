package io.holdfast.lock.rules.bad.engine.hold;

import org.springframework.core.Ordered;

/** Breaks: the core knows no integration. */
abstract class EngineWithSpring implements Ordered {}
