package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The part that a server plays among others: its mode and its role, in its own words, as far as it tells them. What is
 * learned first counts: HELLO and INFO say the same, but for what one of them leaves out.
 */
final class ServerPart {

    private String mode = "";
    private String role = "";

    /** Takes what an answer says of either; empty for nothing. */
    void learn(String newMode, String newRole) {
        if (mode.isEmpty()) {
            mode = newMode;
        }
        if (role.isEmpty()) {
            role = newRole;
        }
    }

    /** Whether the role is known, or the server is a Sentinel and has none. */
    boolean hasRole() {
        return !role.isEmpty() || isSentinel();
    }

    boolean isCluster() {
        return mode.equals("cluster");
    }

    private boolean isSentinel() {
        return mode.equals("sentinel") || role.equals("sentinel");
    }

    /** HELLO says "replica" and INFO says "slave". */
    private boolean isReplica() {
        return role.equals("replica") || role.equals("slave");
    }

    /** Why the server must not keep locks; null if nothing is known against it. */
    @Nullable
    Kind unwanted() {
        if (isSentinel()) {
            return Kind.SENTINEL;
        }
        return isReplica() ? Kind.READONLY : null;
    }

    /** The same, for the operator. */
    static String sentence(Kind unwanted) {
        return unwanted == Kind.SENTINEL
                ? "this is a Sentinel, which keeps no locks (expected: the server that keeps them, or redis-sentinel:// and"
                        + " the name of the primary)"
                : "this is a replica, and a lock on a replica excludes only those who use the same one (expected: its"
                        + " primary)";
    }
}
