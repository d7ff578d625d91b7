/**
 * The {@code readwrite} command: a cache that many processes read and one writes, once per way of locking. Imports the library,
 * Jedis for the cache, and the console.
 */
@NullMarked
package io.holdfast.lock.examples.cache;

import org.jspecify.annotations.NullMarked;
