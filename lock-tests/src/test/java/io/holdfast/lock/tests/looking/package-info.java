/** Looking without taking: what a client holds and waits for, what a store has, and which process is behind an owner. */
@NullMarked
package io.holdfast.lock.tests.looking;

import org.jspecify.annotations.NullMarked;
