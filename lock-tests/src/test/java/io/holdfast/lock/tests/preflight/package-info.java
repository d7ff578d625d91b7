/**
 * What clients say of servers' set-up, on real servers: each provider that forbids something is played by a user's rules or by
 * renamed commands. Imports the lock API, the test kit and the minimal rules.
 */
@NullMarked
package io.holdfast.lock.tests.preflight;

import org.jspecify.annotations.NullMarked;
