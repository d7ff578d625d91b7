package io.holdfast.lock.engine.hold;

/**
 * The listeners of a call, and of the hold that comes of it. Only calls with listeners have one, so no other call or hold is
 * larger for it.
 */
public interface Telling {}
