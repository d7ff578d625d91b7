/**
 * Hot locks on real servers: what a client hands on among its own calls without asking, and how clients take turns. Imports the lock
 * API, the test kit, and the support of server tests.
 */
@NullMarked
package io.holdfast.lock.tests.turns;

import org.jspecify.annotations.NullMarked;
