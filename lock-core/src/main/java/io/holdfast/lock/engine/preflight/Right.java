package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Severity;

/**
 * A right that the client uses.
 *
 * @param name as ACL rules name it
 * @param command a form of the command, which changes nothing where there is no key KEY
 * @param use when it is used
 * @param severity how bad it is to be without it
 * @param consequence what follows without it
 */
record Right(String name, String command, Use use, Severity severity, String consequence) {

    /** When a right is used. */
    enum Use {
        ALWAYS,
        /** It is the business of the diagnosis, and of what is used where there are replicas. */
        WITH_REPLICAS,
        /** Where each grant waits for disks. */
        WITH_DISKS,
        /** At a node in cluster mode that the client knows as one server. */
        AT_ONE_NODE,
        /** At the nodes of a cluster. */
        IN_A_CLUSTER,
        /** Where messages stay within a shard of a cluster: at a node in cluster mode that is 7.0 or newer. */
        SHARDED,
        /** Everywhere else. */
        UNSHARDED,
        /** Of several, one is enough. */
        JUDGED_TOGETHER
    }

    /** Whether a server without the command is worth a warning, though a user without the right is well off. */
    boolean isABoundIfAbsent() {
        return switch (name) {
            case "config|get", "wait", "cluster|slots" -> true;
            default -> false;
        };
    }

    /** Whether the command is about a key. */
    boolean hasKey() {
        return command.endsWith(" KEY") || command.contains(" KEY ");
    }

    /** Whether the command is about a channel that ACL rules name. */
    boolean hasChannel() {
        return switch (name) {
            case "subscribe", "publish", Rights.SHARDED_SUBSCRIBE, Rights.SHARDED_PUBLISH -> true;
            default -> false;
        };
    }
}
