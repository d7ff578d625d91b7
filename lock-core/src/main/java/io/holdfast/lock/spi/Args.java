package io.holdfast.lock.spi;

/** Where a call writes its keys and arguments. All keys come before the first argument. */
public interface Args {

    Args key(byte[] key);

    Args arg(byte[] value);

    /** Writes the number in decimal. */
    Args arg(long value);
}
