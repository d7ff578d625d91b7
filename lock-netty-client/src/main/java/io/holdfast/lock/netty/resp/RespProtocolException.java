package io.holdfast.lock.netty.resp;

import io.holdfast.lock.text.Printable;

/**
 * The peer sent something that is not RESP, or more of it than the limits allow.
 *
 * <p>The only thing left to do with such a stream is to close it: where the next reply starts is unknown. The
 * message names the place and the reason, and never quotes what was received, since that may hold a secret.
 */
public final class RespProtocolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RespProtocolException(String message) {
        super(message);
    }

    RespProtocolException(RespProtocolException first) {
        super(Printable.message(first.getMessage()), first);
    }
}
