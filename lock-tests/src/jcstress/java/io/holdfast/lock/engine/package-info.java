/**
 * What one thread sees of what another has just done to a call or to a hold, tried some hundred million times by jcstress:
 * {@code lock-tests/jcstress}. The tests are in the engine's package, because the publication that they try is the work
 * of classes that nobody else sees.
 *
 * <p>Imports the API, the SPI, the engine and jcstress.
 */
@NullMarked
package io.holdfast.lock.engine;

import org.jspecify.annotations.NullMarked;
