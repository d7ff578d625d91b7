/**
 * What is held: the holds of each lock in this client, their levels, and the leases that they rest on.
 */
@NullMarked
package io.holdfast.lock.engine.hold;

import org.jspecify.annotations.NullMarked;
