/**
 * Elections: candidates that want the lock of a name, what is told of the one that holds it, and those who observe that.
 */
@NullMarked
package io.holdfast.lock.engine.election;

import org.jspecify.annotations.NullMarked;
