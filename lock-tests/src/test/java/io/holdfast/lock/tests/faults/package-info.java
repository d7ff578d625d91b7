/**
 * The fault matrix on one real server: each test causes a fault for real and is named after what must hold. The table is
 * in {@code docs/builders/faults.md}. Imports the lock API, the test kit, the harness, and the class that reads the page.
 */
@NullMarked
package io.holdfast.lock.tests.faults;

import org.jspecify.annotations.NullMarked;
