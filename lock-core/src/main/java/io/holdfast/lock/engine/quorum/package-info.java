/**
 * Steps over several independent nodes, of which a majority decides: rounds, restarts, and nodes that join later.
 */
@NullMarked
package io.holdfast.lock.engine.quorum;

import org.jspecify.annotations.NullMarked;
