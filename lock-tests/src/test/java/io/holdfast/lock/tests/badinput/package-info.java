/**
 * What users get wrong: each mistake gets an immediate, specific error, and nothing is lost or left behind. Imports the
 * lock API, the test kit and the harness.
 */
@NullMarked
package io.holdfast.lock.tests.badinput;

import org.jspecify.annotations.NullMarked;
