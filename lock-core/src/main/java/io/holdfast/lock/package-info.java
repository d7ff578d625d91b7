/**
 * The API of applications: clients, locks, holds, options and exceptions.
 *
 * <p>Imports nothing else of this project but how text is shown. {@link io.holdfast.lock.LockClient} is the way in; it, and
 * what makes one lock of several, reach a provider and the engine.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
