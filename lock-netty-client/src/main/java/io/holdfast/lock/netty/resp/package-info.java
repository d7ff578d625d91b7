/**
 * The language of Redis and Valkey: RESP2 and RESP3, read and written by hand.
 *
 * <p>{@link io.holdfast.lock.netty.resp.RespDecoder} turns bytes into {@link io.holdfast.lock.netty.resp.RespValue}s,
 * {@link io.holdfast.lock.netty.resp.RespWriter} and {@link io.holdfast.lock.netty.resp.ScriptArgs} turn commands into
 * bytes. Nothing here knows of channels, connections or requests. Imports the SPI and Netty's buffers only.
 */
@NullMarked
package io.holdfast.lock.netty.resp;

import org.jspecify.annotations.NullMarked;
