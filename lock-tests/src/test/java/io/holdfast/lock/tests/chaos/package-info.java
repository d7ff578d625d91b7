/**
 * The fault matrix against real processes: each row causes a fault while clients in several JVMs contend for a lock,
 * writes down everything that they were told, and has it checked. {@code lock-tests/chaos} runs it and writes a report.
 *
 * <p>Rows are in the classes whose names end with {@code Rows}; {@link io.holdfast.lock.tests.chaos.Matrix} lists them. A
 * {@link io.holdfast.lock.tests.chaos.Stage} is what a row plays on. Imports the lock API, the test kit, the harness,
 * the evidence and the history checker.
 */
@NullMarked
package io.holdfast.lock.tests.chaos;

import org.jspecify.annotations.NullMarked;
