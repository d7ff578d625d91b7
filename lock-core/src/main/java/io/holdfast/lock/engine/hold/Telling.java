package io.holdfast.lock.engine.hold;

/**
 * Who is told of a call, and of the hold that comes of it. Only calls of which someone wants to hear have one: no other call or
 * hold is larger for it.
 */
public interface Telling {}
