/**
 * Who a client is to its servers, and where that comes from: a login that never changes, or a provider of the user's.
 *
 * <p>Imports the API, the SPI, and calls into code of users.
 */
@NullMarked
package io.holdfast.lock.netty.credentials;

import org.jspecify.annotations.NullMarked;
