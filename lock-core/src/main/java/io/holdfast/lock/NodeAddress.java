package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A port of a host. Two are equal if they are ways to write one address: names in upper and lower case are the same, and so
 * are the long and the short form of IPv6.
 *
 * @param host a name or an IP address, without the brackets of IPv6
 * @param port 1 to 65535
 */
public record NodeAddress(String host, int port) {

    private static final int HIGHEST_PORT = 65_535;
    private static final String EXPECTED = "host:port, with a port from 1 to 65535, and an IPv6 address in brackets";

    /**
     * Checks the host and the port.
     *
     * @throws IllegalArgumentException if one of them is none
     */
    public NodeAddress {
        Options.host("host", host);
        if (isIpV6(host) && !isAddress(host)) {
            throw new IllegalArgumentException(
                    "host: '" + Printable.of(host) + "' (expected: a host name, or an IP address without a port)");
        }
        Options.between(1, HIGHEST_PORT, "port", port);
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if it is malformed; quotes nothing of it, since it may be an address with a password
     */
    public static NodeAddress parse(String text) {
        int colon = Objects.requireNonNull(text, "text").lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon));
        String port = text.substring(colon + 1);
        boolean brackets = host.startsWith("[") && host.endsWith("]");
        String bare = brackets ? host.substring(1, host.length() - 1) : host;
        if (port.matches("[0-9]{1,5}") && brackets == isIpV6(bare)) {
            try {
                return new NodeAddress(bare, Integer.parseInt(port));
            } catch (IllegalArgumentException quotesIt) {
                throw malformed();
            }
        }
        throw malformed();
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("address: malformed (expected: " + EXPECTED + ")");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeAddress that
                && port == that.port
                && identity().equals(that.identity());
    }

    @Override
    public int hashCode() {
        return Objects.hash(identity(), port);
    }

    /** The host and the port as {@link #parse} reads them. */
    @Override
    public String toString() {
        String shown = Printable.of(host);
        return (isIpV6(host) ? "[" + shown + "]" : shown) + ":" + port;
    }

    private String identity() {
        if (isIpV6(host)) {
            try {
                return literal(host).getHostAddress();
            } catch (UnknownHostException notChecked) {
                throw new IllegalStateException(notChecked);
            }
        }
        return host.toLowerCase(Locale.ROOT);
    }

    private static boolean isIpV6(String host) {
        return host.indexOf(':') >= 0;
    }

    private static boolean isAddress(String host) {
        try {
            return literal(host) != null;
        } catch (UnknownHostException malformed) {
            return false;
        }
    }

    /** In brackets it is read as an address, or refused; it is never looked up. */
    private static InetAddress literal(String host) throws UnknownHostException {
        return InetAddress.getByName("[" + host + "]");
    }
}
