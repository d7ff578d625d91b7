package io.holdfast.lock.netty.connection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who we were on the latest connection to each server process: the next connection to that process has it killed
 * (rule 5).
 *
 * <p>A process is known by its run id. Processes that may not be asked for it are one process here, and a connection to
 * one of them has all earlier ones killed that it may have had.
 */
final class EarlierConnections {

    /** A link goes back and forth between few processes; the one that was left first is forgotten first. */
    private static final int MOST = 8;

    private static final String UNKNOWN_RUN = "";

    private final Map<String, ServerIdentity> byRun = new LinkedHashMap<>();

    void add(ServerIdentity identity) {
        byRun.remove(identity.runId());
        if (identity.clientId() == 0) {
            return;
        }
        byRun.put(identity.runId(), identity);
        if (byRun.size() > MOST) {
            byRun.remove(byRun.keySet().iterator().next());
        }
    }

    boolean isEmpty() {
        return byRun.isEmpty();
    }

    /** Whether there was one to the process of this run id; not if that is unknown. */
    boolean isAt(String runId) {
        return !runId.equals(UNKNOWN_RUN) && byRun.containsKey(runId);
    }

    /** Those that may be at the process of this run id; all of them if it is unknown. */
    List<ServerIdentity> at(String runId) {
        return byRun.values().stream()
                .filter(identity -> runId.equals(UNKNOWN_RUN)
                        || identity.runId().equals(UNKNOWN_RUN)
                        || identity.runId().equals(runId))
                .toList();
    }
}
