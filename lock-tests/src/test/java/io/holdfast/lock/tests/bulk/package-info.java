/** Many of everything: cycles, threads, waiters, holds. */
@NullMarked
package io.holdfast.lock.tests.bulk;

import org.jspecify.annotations.NullMarked;
