package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a server executes, as it happens: a connection in MONITOR mode.
 *
 * <pre>{@code
 * try (RedisMonitor monitor = RedisMonitor.of(redis)) {
 *     lock.lock();
 *     lock.unlock();
 *     assertThat(monitor.commands()).extracting(MonitoredCommand::name).containsExactly("EVALSHA", "EVALSHA");
 * }
 * }</pre>
 */
public final class RedisMonitor implements AutoCloseable {
    private final RawRedis stream;
    private final RespReader lines;
    private final RawRedis marker;
    private final List<MonitoredCommand> seen = new ArrayList<>();

    private RedisMonitor(RawRedis stream, RawRedis marker) {
        this.stream = stream;
        this.marker = marker;
        this.lines = stream.startMonitor();
    }

    /** Starts to watch; what runs from now on is seen. */
    public static RedisMonitor of(RedisServer server) {
        return new RedisMonitor(server.connect(), server.connect());
    }

    /**
     * The commands that clients sent, in the order of their execution, up to now: whatever the server executed before
     * this call is in it. Commands called by scripts are left out.
     */
    public List<MonitoredCommand> commands() {
        return everything().stream().filter(command -> !command.fromScript()).toList();
    }

    /** As {@link #commands()}, with the commands called by scripts, each after the script's own. */
    public synchronized List<MonitoredCommand> everything() {
        String mark = "mark-" + UUID.randomUUID();
        marker.command("ECHO", mark);
        while (true) {
            MonitoredCommand command = next();
            if (command.words().equals(List.of("ECHO", mark))) {
                return List.copyOf(seen);
            }
            seen.add(command);
        }
    }

    /** Waits for the next command, for a live display. Use either this or the lists. */
    public synchronized MonitoredCommand next() {
        try {
            return MonitoredCommand.parse(lines.line());
        } catch (IOException e) {
            throw new UncheckedIOException("the monitor's connection ended: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        stream.close();
        marker.close();
    }
}
