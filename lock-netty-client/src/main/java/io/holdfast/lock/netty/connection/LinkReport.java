package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection.Use;
import io.holdfast.lock.text.Printable;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What one link tells of its connections. */
final class LinkReport {

    private final ConnectionSettings settings;
    private final Use use;

    /** The server of the latest connection: as the client calls it, where it is, and which process. */
    private String node;

    private @Nullable SocketAddress address;
    private String runId = "";

    LinkReport(ConnectionSettings settings, Use use) {
        this.settings = settings;
        this.use = use;
        this.node = settings.node();
    }

    void ready(ServerIdentity identity, SocketAddress now) {
        String name = settings.at(now).node();
        String before = isAnother(identity, now) ? name.equals(node) ? Printable.of(address) : node : null;
        node = name;
        address = now;
        runId = identity.runId();
        settings.news().up(this, use, node, before);
    }

    /** Another process at another place; where no process may be known, another of those that the address names. */
    private boolean isAnother(ServerIdentity identity, SocketAddress now) {
        if (address == null || address.equals(now)) {
            return false;
        }
        boolean areKnown = !runId.isEmpty() && !identity.runId().isEmpty();
        return areKnown
                ? !runId.equals(identity.runId())
                : settings.server().target().isOneOfSeveral();
    }

    void lost(Fault fault) {
        settings.news().down(this, use, node, fault);
    }

    void failed(Fault fault) {
        settings.news().unreachable(use, fault.node(), fault);
    }
}
