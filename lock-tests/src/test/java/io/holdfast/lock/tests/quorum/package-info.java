/**
 * Locks over several independent servers: real processes that hang, die, forget, disagree about the time, and are cut
 * off. Imports the library's API, the test kit, and what the tests share.
 */
@NullMarked
package io.holdfast.lock.tests.quorum;

import org.jspecify.annotations.NullMarked;
