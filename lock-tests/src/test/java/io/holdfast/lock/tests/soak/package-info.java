/**
 * The soak: four JVMs take thousands of locks, on one server and on a quorum of three, for as long as one likes, while
 * servers, networks and the JVMs themselves are hurt at random. {@link io.holdfast.lock.tests.soak.SoakCommand} runs it;
 * what must never be broken is in {@link io.holdfast.lock.tests.soak.Invariants}, which has tests of its own.
 *
 * <p>Imports the lock API, the test kit, the harness and the evidence.
 */
@NullMarked
package io.holdfast.lock.tests.soak;

import org.jspecify.annotations.NullMarked;
