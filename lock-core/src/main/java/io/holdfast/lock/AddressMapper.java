package io.holdfast.lock;

import java.util.Map;

/**
 * Where a client reaches the servers that others announce to it: announced address to reachable address, for networks with
 * address translation or forwarded ports, where a server is not where it believes to be.
 *
 * <p>It is asked for each address that a Sentinel announces, a server's or another Sentinel's, or that a node of a cluster
 * announces, whenever the client wants to connect there; never for an address that the user wrote. It is called on threads of the client that may block, within
 * bounds: a call that is of no use any more is interrupted. An address for which it throws, returns null, or returns
 * nothing in time can't be reached for now; faults and the log say why, with the words of what was thrown.
 */
@FunctionalInterface
public interface AddressMapper {

    /** Where the client reaches the server that is announced at this address: at the same one, if nothing is to be changed. */
    NodeAddress map(NodeAddress announced);

    /** Addresses that are known beforehand; all others stay as they are. */
    static AddressMapper of(Map<NodeAddress, NodeAddress> reachable) {
        return new KnownAddresses(reachable);
    }
}
