/**
 * Calls into code of users, which may hang: providers of credentials, mappers of addresses.
 *
 * <p>Imports nothing of ours.
 */
@NullMarked
package io.holdfast.lock.netty.guest;

import org.jspecify.annotations.NullMarked;
