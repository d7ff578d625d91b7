package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import org.jspecify.annotations.Nullable;

/** Why a call has come to no node that takes it. */
final class Unrouted {

    private Unrouted() {}

    static Fault sentRound(ClusterNode last, int times, Kind kind, RespValue error) {
        String detail = "the call was sent on " + times + " times from node to node, and again: ";
        return new Fault(kind, false, last.name(), detail + error.errorText());
    }

    static Fault noPrimary(String cluster, int slot) {
        return new Fault(Kind.CLUSTERDOWN, false, cluster, "slot " + slot + " has no primary");
    }

    /** @param noMap why the latest map could not be had; null if it could */
    static Fault notFound(String cluster, @Nullable Fault noMap) {
        return noMap == null
                ? new Fault(
                        Kind.UNREACHABLE, false, cluster, "the primary of the slot of the lock was not found in time")
                : new Fault(noMap.kind(), false, noMap.node(), "no map of the cluster: " + noMap.detail());
    }
}
