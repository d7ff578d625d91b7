/**
 * The algorithm: one acquisition loop, holds, the lease watchdog, the undoer.
 *
 * <p>Imports the API and the SPI, never a transport. It takes time, timers and randomness from the SPI alone, so that
 * the same steps can be played again from a seed. {@link io.holdfast.lock.engine.EngineClient} is the way in.
 */
@NullMarked
package io.holdfast.lock.engine;

import org.jspecify.annotations.NullMarked;
