/** Fixtures that break the rules. */
@NullMarked
package io.holdfast.lock.rules.bad.boot;

import org.jspecify.annotations.NullMarked;
