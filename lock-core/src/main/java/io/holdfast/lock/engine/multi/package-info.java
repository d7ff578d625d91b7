/**
 * Locks made of locks: of several members, or of the locks of several clients.
 */
@NullMarked
package io.holdfast.lock.engine.multi;

import org.jspecify.annotations.NullMarked;
