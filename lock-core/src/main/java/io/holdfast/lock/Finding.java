package io.holdfast.lock;

/**
 * Something about a server's set-up, or about several servers, that an operator should know of: what {@link
 * LockClient#diagnose()} returns. It holds no secrets, and all its texts are printable. Not for implementing: later versions
 * tell more.
 */
public interface Finding {

    /** The kind of finding, for programs. */
    Code code();

    Severity severity();

    /** The server's address, without secrets; of a finding about several servers, all their addresses. */
    String node();

    /** The observation. */
    String seen();

    /** The consequence for locks. */
    String consequence();

    /** The remedy. */
    String remedy();

    /** How bad it is. */
    enum Severity {
        /** Locks don't work, or are lost without a fault of any server. */
        PROBLEM,
        /** A fault of a server costs more than it has to: a lock, or time. */
        WARNING,
        /** Nothing is wrong, but something is not known, or bounded, or good to know. */
        NOTE
    }

    /** The kinds of findings; later versions have more. */
    enum Code {
        /** A server can't be asked. */
        UNREACHABLE,
        /** The transport has no way to ask its servers. */
        NOT_ASKED,
        /** The server runs no scripts for this user, or has none of ours and would not take them from this user. */
        SCRIPTS_REFUSED,
        /** The user lacks a right that the client uses. */
        MISSING_RIGHT,
        /** The server has no command of this name: it was renamed, or is not offered there. */
        MISSING_COMMAND,
        /** The server can't tell whether the user has some rights. */
        UNKNOWN_RIGHTS,
        /** The server deletes keys when its memory is full. */
        EVICTION,
        /** A server forgets locks when it is restarted, or has no disk where each grant waits for disks. */
        NO_PERSISTENCE,
        /** The server does not tell its replication id, which the failover guard needs. */
        NO_REPLICATION_ID,
        /** There are replicas, and no grant waits for them. */
        REPLICAS_NOT_WAITED_FOR,
        /** Each grant waits for more replicas than there are. */
        TOO_FEW_REPLICAS,
        /** A primary behind Sentinel that is cut off from all replicas goes on granting. */
        MIN_REPLICAS_UNSET,
        /** The clocks of two servers differ by more than the margin of a lock's validity. */
        CLOCKS_DIFFER,
        /** The server is older than this library supports. */
        VERSION_TOO_OLD,
        /** The server's version has a published vulnerability that scripts can reach. */
        KNOWN_VULNERABILITY,
        /** The address leads to a replica or a Sentinel, or no server of several is the primary. */
        NOT_A_PRIMARY,
        /** The servers are of different versions. */
        VERSIONS_DIFFER,
        /** The server has nearly as many clients as it takes. */
        NEAR_MAX_CLIENTS,
        /** A node of a cluster has no messages that stay within their shard. */
        NO_SHARDED_MESSAGES,
        /** A script of another client may keep the server for very long. */
        SCRIPT_TIME_LIMIT,
        /** How a cluster stands: its slots, and its nodes. */
        CLUSTER,
        /** How a primary of a cluster is set up: its version, its slots, its messages, its replicas, and what it keeps. */
        CLUSTER_NODE,
        /** A node of a cluster refuses all calls, since it finds the cluster down. */
        CLUSTER_DOWN,
        /** Slots of a cluster have no primary. */
        SLOTS_UNCOVERED,
        /** Slots of a cluster are being moved from one node to another. */
        SLOTS_MOVING,
        /** Most primaries of a cluster call a node failed. */
        NODE_FAILED,
        /** A primary of a cluster has no replica that could take its place. */
        NO_REPLICA
    }
}
