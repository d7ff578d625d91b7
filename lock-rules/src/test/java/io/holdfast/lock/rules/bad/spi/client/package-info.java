/** A package that makes clients, and breaks the rules. */
@NullMarked
package io.holdfast.lock.rules.bad.spi.client;

import org.jspecify.annotations.NullMarked;
