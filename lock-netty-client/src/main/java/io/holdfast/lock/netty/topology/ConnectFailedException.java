package io.holdfast.lock.netty.topology;

import io.holdfast.lock.spi.Fault;

/** No connection could be made while a caller was waiting for the first one. */
public final class ConnectFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    ConnectFailedException(Fault fault) {
        super(fault.toString());
        this.fault = fault;
    }

    /** Why not. */
    public Fault fault() {
        return fault;
    }
}
