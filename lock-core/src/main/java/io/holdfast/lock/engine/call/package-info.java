/**
 * Results of calls, and the order of steps: what a call ends with, gates that let one step in at a time, where code
 * of users runs, and what every part may know of its client.
 */
@NullMarked
package io.holdfast.lock.engine.call;

import org.jspecify.annotations.NullMarked;
