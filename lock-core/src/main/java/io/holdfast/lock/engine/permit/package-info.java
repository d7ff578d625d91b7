/**
 * Semaphores as their users see them: permits that are taken and given back, and the limit of how many there are.
 */
@NullMarked
package io.holdfast.lock.engine.permit;

import org.jspecify.annotations.NullMarked;
