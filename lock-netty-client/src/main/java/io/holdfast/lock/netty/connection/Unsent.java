package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import org.jspecify.annotations.Nullable;

/** Why calls are not written. */
public final class Unsent {

    private Unsent() {}

    /**
     * Why a call was not written in its time.
     *
     * @param session the connection; null if there is none
     * @param reason why there is none, if that is known
     */
    static Fault fault(String node, @Nullable CommandSession session, @Nullable Fault reason) {
        if (session != null) {
            String detail = session.accepts() && !session.isFull()
                    ? "this client was too busy to send the request in time"
                    : "the connection takes no more requests";
            return new Fault(Kind.UNREACHABLE, false, node, detail);
        }
        if (reason == null) {
            return new Fault(Kind.UNREACHABLE, false, node, "not connected yet");
        }
        return new Fault(transientKind(reason), false, reason.node(), "no connection: " + reason.detail());
    }

    private static Kind transientKind(Fault reason) {
        return switch (reason.kind()) {
            case LOADING, BUSY, MASTERDOWN, MAXCLIENTS -> reason.kind();
            default -> Kind.UNREACHABLE;
        };
    }

    /**
     * Why a call can't be sent to a node.
     *
     * @param reason why the latest attempt to connect has failed; null if that is not known
     */
    public static Fault unreachable(String node, String detail, @Nullable Fault reason) {
        if (reason == null) {
            return new Fault(Kind.UNREACHABLE, false, node, detail);
        }
        Kind kind = reason.kind().isTransient() ? transientKind(reason) : reason.kind();
        return new Fault(kind, false, reason.node(), detail + ": " + reason.detail());
    }

    /** Whether there is a server, and it will not do for a while. */
    static boolean isRefusal(Kind kind) {
        return !kind.isTransient() || kind == Kind.READONLY || kind == Kind.MASTERDOWN || kind == Kind.SENTINEL;
    }
}
