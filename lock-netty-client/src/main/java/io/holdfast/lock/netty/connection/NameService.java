package io.holdfast.lock.netty.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Where the addresses of a host come from. */
@FunctionalInterface
public interface NameService {

    /** The one that the JDK uses. */
    NameService SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /**
     * The addresses of a host, at least one, in the order in which they should be tried. May block for long.
     *
     * @throws UnknownHostException if it has none
     */
    List<InetAddress> addresses(String host) throws UnknownHostException;
}
