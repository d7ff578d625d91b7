package io.holdfast.lock;

/**
 * A fenced value is longer than {@link FencedValue#MAX_BYTES}. It was neither written nor read: such a value would hold
 * up the locks, which travel on the same connection.
 */
public final class ValueTooLongException extends LockException {

    private static final long serialVersionUID = 1L;

    private final long lengthBytes;

    /** @param valueName the value's name, which {@link #name} returns */
    public ValueTooLongException(String message, String valueName, String node, long lengthBytes) {
        super(message, valueName, "", node, FailureReason.VALUE_TOO_LONG, null);
        this.lengthBytes = lengthBytes;
    }

    /** How long the value is. */
    public long lengthBytes() {
        return lengthBytes;
    }
}
