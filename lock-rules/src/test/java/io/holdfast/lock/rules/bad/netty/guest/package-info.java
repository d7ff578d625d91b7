/** Breaks layering rules on purpose: what the rules are shown to reject. Imports whatever it must not. */
@NullMarked
package io.holdfast.lock.rules.bad.netty.guest;

import org.jspecify.annotations.NullMarked;
