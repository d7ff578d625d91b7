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
        IN_A_CLUSTER,
        /** It is asked for to know whether the server has the command. */
        NEVER
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
        return name.equals("subscribe") || name.equals("publish");
    }
}
