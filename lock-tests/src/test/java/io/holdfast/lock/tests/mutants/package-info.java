/**
 * The rules of the protocol, broken one at a time, to prove that the tests would notice. A mutant is a patch in {@code
 * src/test/mutants}; it is applied to a copy of the sources, compiled, and put ahead of the real classes. The page is
 * {@code docs/builders/mutants.md}. Imports the JDK, its compiler, and the JUnit launcher: mutants reach the code only by its
 * sources.
 */
@NullMarked
package io.holdfast.lock.tests.mutants;

import org.jspecify.annotations.NullMarked;
