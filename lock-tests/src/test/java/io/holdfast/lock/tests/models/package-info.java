/**
 * The protocol as small explicit-state models, each gone through to its last state: with all rules no invariant can be
 * broken, and without any one of them the shortest way to break one is found. The page is {@code docs/builders/models.md}.
 * Imports the JDK only: models know the protocol and not the code.
 */
@NullMarked
package io.holdfast.lock.tests.models;

import org.jspecify.annotations.NullMarked;
