/**
 * TLS: what a client trusts and shows, read from files and read again when they change; engines that secure a channel; and
 * words for what goes wrong.
 *
 * <p>{@link io.holdfast.lock.netty.tls.ClientTls} is the way in. Imports the API, Netty, and in one class the optional
 * {@code netty-handler}; knows nothing of connections.
 */
@NullMarked
package io.holdfast.lock.netty.tls;

import org.jspecify.annotations.NullMarked;
