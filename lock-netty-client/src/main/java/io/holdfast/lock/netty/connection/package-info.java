/**
 * One connection to one server, and the endpoint that keeps it alive.
 *
 * <p>How a command flows:
 *
 * <ol>
 *   <li>A caller hands a {@code ScriptCall} to {@link io.holdfast.lock.netty.connection.CommandEndpoint#send}. It goes
 *       into a bounded queue, and the event loop is woken unless it is about to look anyway.
 *   <li>The event loop drains the queue: each call is written whole into one buffer and takes its place in
 *       {@code InFlight}, the list of what the server owes an answer; then one flush for all of them. From here on the
 *       call may have been applied, whatever happens, and its bytes are never sent again.
 *   <li>Replies come back in order, each with the number of its request. {@code CommandSession} gives each to the oldest
 *       call in flight, if the number is that call's; an error waits until a later reply has shown whose it was. Then it
 *       becomes a {@code Fault} in {@code ErrorReplies}; the one error handled right here is NOSCRIPT.
 *   <li>{@code DeadlineTimer} tells calls that they are overdue. They keep their place, so that later replies still
 *       find their own calls.
 *   <li>When the connection ends, calls in flight learn that they may have been applied. Calls that were never written
 *       stay queued for the next connection, until their deadline.
 * </ol>
 *
 * <p>{@link io.holdfast.lock.netty.connection.Link} owns reconnection, {@link
 * io.holdfast.lock.netty.connection.Session} one connection: its handshake, the commands in flight, its heartbeat and its end.
 * All state of an endpoint belongs to one event loop; only the queue's entrance is shared.
 *
 * <p>Imports the SPI, the codec in {@code resp}, the rooms {@code address} and {@code credentials}, and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.connection;

import org.jspecify.annotations.NullMarked;
