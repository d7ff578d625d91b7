package io.holdfast.cli;

import io.holdfast.cli.text.Cells;
import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A lock as people and programs are shown it. */
final class LockView {

    private LockView() {}

    /** {@code free}, {@code shared} or {@code exclusive}. The server does not tell plain, fair and write locks apart. */
    static String mode(LockInfo lock) {
        if (!lock.locked()) {
            return "free";
        }
        return !lock.holders().isEmpty() && lock.holders().stream().allMatch(LockInfo.Holder::reads)
                ? "shared"
                : "exclusive";
    }

    /** {@code application@host:pid}, or the owner if its client has no record. */
    static String holder(LockInfo.Holder holder) {
        return Printable.of(holder.client()
                .map(client -> (client.application().isEmpty() ? "" : client.application() + "@") + client.host() + ":"
                        + client.processId())
                .orElse(holder.owner()));
    }

    /** The first holder, and how many more there are. */
    static String holders(LockInfo lock) {
        List<LockInfo.Holder> holders = lock.holders();
        if (holders.isEmpty()) {
            return "-";
        }
        return holder(holders.get(0)) + (holders.size() > 1 ? " +" + (holders.size() - 1) : "");
    }

    /** How long the lock has been held, by the server's clock at the grant and this machine's now. */
    static Optional<Duration> held(LockInfo lock, Instant now) {
        return lock.holders().stream()
                .flatMap(holder -> holder.since().stream())
                .min(Instant::compareTo)
                .map(since -> Duration.between(since, now));
    }

    /** The calls in the server's queue; where there is none, the connections that listen for a release. */
    static long waiters(LockInfo lock) {
        return lock.queue().isEmpty()
                ? lock.subscribedProcesses()
                : lock.queue().size();
    }

    static String shortly(Optional<Duration> duration) {
        return duration.map(Cells::shortly).orElse("-");
    }

    static Map<String, Object> json(LockInfo lock) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", lock.name());
        json.put("mode", mode(lock));
        json.put("leftMillis", lock.timeToLive().map(Duration::toMillis));
        json.put("holders", lock.holders().stream().map(LockView::json).toList());
        json.put("queue", lock.queue());
        json.put("listeners", lock.subscribedProcesses());
        return json;
    }

    private static Map<String, Object> json(LockInfo.Holder holder) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("owner", holder.owner());
        json.put("reads", holder.reads());
        json.put("levels", holder.holdCount());
        json.put("token", holder.fencingToken());
        json.put("since", holder.since());
        json.put("mayHaveHandedOn", holder.mayHaveHandedOn());
        json.put("application", holder.client().map(ClientInfo::application));
        json.put("host", holder.client().map(ClientInfo::host));
        json.put("pid", holder.client().map(ClientInfo::processId));
        json.put("version", holder.client().map(ClientInfo::version));
        json.put("clientSince", holder.client().map(ClientInfo::since));
        return json;
    }
}
