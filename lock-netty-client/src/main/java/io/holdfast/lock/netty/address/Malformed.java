package io.holdfast.lock.netty.address;

/** A fault in an address, in words of ours: it quotes no part of the address, which may be one of the password. */
final class Malformed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Malformed(String fault) {
        super(fault, null, false, false);
    }
}
