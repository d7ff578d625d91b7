package io.holdfast.lock.netty.replication;

import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;

/**
 * Why a server does not wait for disks, where its own words leave open what would help: older ones do not know WAITAOF, and
 * one without an append-only file has nothing on its disk.
 */
final class WaitRefusal {

    private static final String OR_MEMORY = "; or waitForReplicas, which is content with their memory)";

    private WaitRefusal() {}

    /** The fault that an error answer to WAIT or WAITAOF stands for. */
    static Fault of(String node, RespValue error, boolean onDisk) {
        Fault fault = ErrorReplies.fault(node, error);
        String sentence = onDisk ? sentence(error.errorText()) : "";
        return sentence.isEmpty() ? fault : new Fault(fault.kind(), false, node, sentence + OR_MEMORY);
    }

    private static String sentence(String said) {
        if (said.contains("unknown command")) {
            return "waitForReplicasOnDisk: the server has no WAITAOF (expected: Redis 7.2 or later, or Valkey";
        }
        if (said.contains("appendonly is disabled")) {
            return "waitForReplicasOnDisk: the server keeps no append-only file (expected: appendonly yes, there"
                    + " and at its replicas";
        }
        return "";
    }
}
