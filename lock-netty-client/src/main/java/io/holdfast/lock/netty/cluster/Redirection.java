package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import org.jspecify.annotations.Nullable;

/** Where a node sends a call: {@code MOVED 3999 127.0.0.1:6381}, or the same with {@code ASK}. */
final class Redirection {

    private static final String SAME_HOST = "?";

    private Redirection() {}

    /**
     * The node that is named.
     *
     * @param sender the node that says so: without a host, it names one at its own
     * @return null if that is no address
     */
    static Target.@Nullable Host target(String error, Target.Host sender) {
        int space = error.lastIndexOf(' ');
        int colon = error.lastIndexOf(':');
        return colon < space || space < 0
                ? null
                : host(error.substring(space + 1, colon), error.substring(colon + 1), sender);
    }

    /** The slot that is named; -1 if that is none. */
    static int slot(String error) {
        String[] words = error.split(" ", 3);
        if (words.length < 3 || !words[1].matches("[0-9]{1,5}")) {
            return -1;
        }
        int slot = Integer.parseInt(words[1]);
        return slot < SlotMap.SLOTS ? slot : -1;
    }

    /** What a node of a cluster calls itself or another one; a host that is not told is that of the node that was asked. */
    static Target.@Nullable Host host(@Nullable String host, @Nullable String port, Target.Host asked) {
        boolean isUntold = host == null || host.isEmpty() || host.equals(SAME_HOST);
        return Target.Host.announced(isUntold ? asked.host() : host, port);
    }
}
