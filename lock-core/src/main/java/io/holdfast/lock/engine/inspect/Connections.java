package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.text.Printable;
import java.util.List;

/** The connections of a client, as its user sees them. */
public final class Connections {

    private Connections() {}

    public static List<ConnectionInfo> of(ClientFacts facts) {
        return facts.stores().stream()
                .flatMap(store -> store.backend().connections().stream())
                .<ConnectionInfo>map(one -> new Connection(one.node(), purpose(one.use()), one.up(), one.queued()))
                .toList();
    }

    private static ConnectionPurpose purpose(NodeConnection.Use use) {
        return switch (use) {
            case COMMANDS -> ConnectionPurpose.COMMANDS;
            case MESSAGES -> ConnectionPurpose.MESSAGES;
            case REPLICAS -> ConnectionPurpose.REPLICAS;
            case SENTINEL -> ConnectionPurpose.SENTINEL;
        };
    }

    private record Connection(String node, ConnectionPurpose purpose, boolean up, int queued)
            implements ConnectionInfo {

        @Override
        public String toString() {
            return "ConnectionInfo[node=" + Printable.of(node) + ", purpose=" + purpose + ", up=" + up + ", queued="
                    + queued + ']';
        }
    }
}
