/** Fixtures that break the rules. */
@NullMarked
package io.holdfast.lock.rules.bad.spring;

import org.jspecify.annotations.NullMarked;
