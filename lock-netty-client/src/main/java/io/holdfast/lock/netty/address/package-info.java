/**
 * Where servers are: {@link io.holdfast.lock.netty.address.RedisUri} is an address as users write it, and {@link
 * io.holdfast.lock.netty.address.Whereabouts} finds the socket addresses that it stands for now; {@link io.holdfast.lock.netty.address.AnnouncedAddresses} does so
 * for servers that Sentinels announce.
 *
 * <p>Imports the API, calls into code of users, and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.address;

import org.jspecify.annotations.NullMarked;
