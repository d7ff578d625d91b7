package io.holdfast.lock.testkit;

/** Whether clients of a server come by TLS. */
public enum TlsMode {
    /** They come plainly. */
    OFF,
    /** The server shows a certificate. */
    SERVER,
    /** Both sides show a certificate. */
    MUTUAL
}
