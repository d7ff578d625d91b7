/**
 * What an application imports: clients, locks, holds, options and exceptions.
 *
 * <p>Imports nothing else of this project. {@link io.holdfast.lock.LockClient} is the way in.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
