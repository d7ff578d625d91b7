/**
 * What every form of a lock must do, on one real server: {@link io.holdfast.lock.tests.contract.LockContract} over all
 * forms and key schemes, and beside it what only some forms have.
 */
@NullMarked
package io.holdfast.lock.tests.contract;

import org.jspecify.annotations.NullMarked;
