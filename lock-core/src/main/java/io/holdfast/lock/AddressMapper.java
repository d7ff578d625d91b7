package io.holdfast.lock;

import java.util.Map;

/**
 * A translation of announced addresses to reachable ones, for networks with address translation or forwarded ports.
 *
 * <p>It is asked for each address that a Sentinel announces, a server's or another Sentinel's, or that a node of a cluster
 * announces, whenever the client wants to connect there; never for an address that the user wrote. Each call has a thread of its
 * own, which no callback keeps busy; one that is of no use any more is interrupted. An address for which it throws, returns null, or returns
 * nothing in time can't be reached for now; faults and the log say why, with the words of what was thrown.
 */
@FunctionalInterface
public interface AddressMapper {

    /** The address at which the client reaches the server announced at this one; the same, if nothing is to be changed. */
    NodeAddress map(NodeAddress announced);

    /**
     * True if {@link #map} may wait for anything. One that never does, not even for a lock or a file, may say so: then it is
     * called on the threads of the connections, and has none of its own. Asked once for each client.
     */
    default boolean mayBlock() {
        return true;
    }

    /** Addresses that are known beforehand; all others stay as they are. */
    static AddressMapper of(Map<NodeAddress, NodeAddress> reachable) {
        return new KnownAddresses(reachable);
    }
}
