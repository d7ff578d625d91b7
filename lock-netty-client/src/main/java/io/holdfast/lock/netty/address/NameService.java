package io.holdfast.lock.netty.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Where the addresses of a host come from. */
@FunctionalInterface
public interface NameService {

    /**
     * The addresses of a host, at least one, in the order in which they should be tried. May block for long.
     *
     * @throws UnknownHostException if it has none
     */
    List<InetAddress> addresses(String host) throws UnknownHostException;

    /** The same, past what is remembered of earlier answers, if anything is. */
    default List<InetAddress> addressesNow(String host) throws UnknownHostException {
        return addresses(host);
    }
}
