/**
 * No two holders, and tokens that increase: {@link io.holdfast.lock.tests.evidence.Guarded} looks at it while the owners
 * are at work in one JVM, {@link io.holdfast.lock.tests.evidence.Turns} afterwards, by what owners in any processes wrote
 * down. Imports nothing of this project.
 *
 * <p>Two other proofs of the same are their own. The checkers of the simulation judge each grant when it happens, and
 * know which faults excuse which hold. The package {@code history} looks for an order in which all calls and answers of a
 * run are possible. What single owners are told in turn is asserted where it happens.
 */
@NullMarked
package io.holdfast.lock.tests.evidence;

import org.jspecify.annotations.NullMarked;
