/**
 * An election among several processes, whose leader is killed. May use the rest of the examples and Holdfast's API.
 */
@NullMarked
package io.holdfast.lock.examples.election;

import org.jspecify.annotations.NullMarked;
