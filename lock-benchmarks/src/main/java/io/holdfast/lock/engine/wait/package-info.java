/**
 * Benchmarks of the engine's parts. They are in the engine's own package, on the class path, because the parts are nobody
 * else's business. Imports JMH.
 */
@NullMarked
package io.holdfast.lock.engine.wait;

import org.jspecify.annotations.NullMarked;
