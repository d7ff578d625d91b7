package io.holdfast.lock.tests.models;

import org.jspecify.annotations.Nullable;

/**
 * What came of visiting the states of a model.
 *
 * @param states how many were visited
 * @param depth how many steps the last visited one is from the start
 * @param counterexample a shortest way to break an invariant; null if none can be broken
 */
record Exploration(int states, int depth, @Nullable Counterexample counterexample) {}
