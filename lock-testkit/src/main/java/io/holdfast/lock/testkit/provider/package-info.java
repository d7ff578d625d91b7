/**
 * What providers of servers, and proxies before them, refuse: profiles for a {@link io.holdfast.lock.testkit.FaultProxy}.
 *
 * <p>Imports the test kit's frames.
 */
@NullMarked
package io.holdfast.lock.testkit.provider;

import org.jspecify.annotations.NullMarked;
