/**
 * The {@code stock} command: many buyers in several processes, few items, and one shop per way of locking. Imports the
 * library, Jedis for the naive shops, and the console.
 */
@NullMarked
package io.holdfast.lock.examples.stock;

import org.jspecify.annotations.NullMarked;
