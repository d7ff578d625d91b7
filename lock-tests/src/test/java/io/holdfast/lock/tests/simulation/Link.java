package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a server that comes back after a loss, as the production transport keeps it: one attempt at
 * a time, growing pauses, a heartbeat, and the fence before anything else.
 */
abstract class Link implements Connection.Client {

    private static final int HANDSHAKE_TRIPS = 4;

    final World world;
    final SimulatedClient client;
    /** The one that the next connection leads to; with Sentinels it may become another. */
    SimulatedServer server;

    final Route route;
    private final ClientOptions options;
    private final boolean fences;
    private final Chance chance;

    /** The connection that is ready; null while there is none. */
    @Nullable
    Connection connection;

    private @Nullable Connection previous;
    private @Nullable Connection attempt;
    private boolean started;
    boolean closed;
    private long pauseNanos;
    private long readySinceNanos;
    private @Nullable Event retry;

    private long lastHeardNanos;
    private long pingedNanos;
    private boolean pinged;
    private boolean putOff;
    private @Nullable Event beat;

    /** @param fences whether the connection before is killed at the server first */
    Link(SimulatedClient client, SimulatedServer server, Route route, boolean fences) {
        this.world = client.world;
        this.client = client;
        this.server = server;
        this.route = route;
        this.options = client.options;
        this.fences = fences;
        this.chance = client.network;
    }

    /** The connection takes requests from now on. */
    abstract void up();

    /** The connection was lost, with all that was in flight. */
    abstract void down(Connection lost, Fault fault);

    /** There is still no connection. */
    abstract void failed(Fault fault);

    /** When the oldest request without an answer was sent; negative if there is none. */
    abstract long expectsSince();

    abstract void ping();

    // --- connecting ---

    final void start() {
        if (!started && !closed) {
            started = true;
            connect();
        }
    }

    private void connect() {
        retry = null;
        Connection fresh = new Connection(world, client, server, route, this, chance);
        attempt = fresh;
        long startedNanos = world.nanos();
        long trips = 0;
        for (int i = 0; i < HANDSHAKE_TRIPS; i++) {
            trips += route.latency();
        }
        world.after(trips, client, () -> shakeHands(fresh, startedNanos));
    }

    private void shakeHands(Connection fresh, long startedNanos) {
        if (attempt != fresh || closed) {
            return;
        }
        if (!server.isUp() && !route.isCutOff()) {
            attempt = null;
            notConnected(unreachable("connection refused"));
            return;
        }
        long readyAt = Math.max(server.readsAt(), Math.max(route.requestsFlowAt(), route.answersFlowAt()));
        long timeoutAt = startedNanos + options.connectTimeout().toNanos();
        if (readyAt > world.nanos() || !server.isUp()) {
            if (world.nanos() >= timeoutAt) {
                attempt = null;
                notConnected(unreachable("no connection in time"));
            } else {
                long next = Math.min(timeoutAt, Math.max(readyAt, world.nanos() + 1_000_000));
                world.after(next - world.nanos(), client, () -> shakeHands(fresh, startedNanos));
            }
            return;
        }
        attempt = null;
        if (previous != null && fences) {
            server.kill(previous);
        }
        server.accept(fresh);
        connection = fresh;
        previous = fresh;
        readySinceNanos = world.nanos();
        if (world.isTraced()) {
            world.note(client.name, "connected to " + server.name + " (" + what() + ")");
        }
        startHeartbeat();
        up();
    }

    abstract String what();

    private Fault unreachable(String detail) {
        return new Fault(Kind.UNREACHABLE, false, server.name, detail);
    }

    private void notConnected(Fault fault) {
        failed(fault);
        connectLater();
    }

    private void connectLater() {
        if (closed) {
            return;
        }
        long least = options.backoffMin().toNanos();
        pauseNanos = pauseNanos == 0 ? least : Math.min(options.backoffMax().toNanos(), 2 * pauseNanos);
        retry = world.after(pauseNanos / 2 + chance.below(pauseNanos / 2 + 1), client, this::connect);
    }

    // --- losing ---

    @Override
    public final void ended(Connection ended, String detail) {
        if (ended == connection) {
            lose(new Fault(Kind.DISCONNECTED, true, server.name, detail));
        }
    }

    /** Gives the connection up. */
    final void lose(Fault fault) {
        Connection lost = connection;
        if (lost == null) {
            return;
        }
        if (world.isTraced()) {
            world.note(client.name, "lost the connection to " + server.name + " (" + what() + "): " + fault.detail());
        }
        connection = null;
        if (beat != null) {
            beat.cancel();
        }
        lost.leave();
        if (world.nanos() - readySinceNanos > pauseNanos) {
            pauseNanos = 0;
        }
        down(lost, fault);
        if (started) {
            connectLater();
        }
    }

    /** Ends the connection, or the attempts to make one, until it is started again. */
    final void rest(Fault reason) {
        if (closed) {
            return;
        }
        started = false;
        attempt = null;
        if (retry != null) {
            retry.cancel();
        }
        lose(reason);
    }

    final void close() {
        close(new Fault(Kind.CLOSED, true, server.name, "the client was closed"));
    }

    /** Ends it for good, for this reason. */
    final void close(Fault reason) {
        closed = true;
        attempt = null;
        if (retry != null) {
            retry.cancel();
        }
        lose(reason);
    }

    /** The process is no more; the server will notice. */
    final void crash() {
        closed = true;
        Connection left = connection;
        connection = null;
        if (left != null) {
            left.leave();
        }
    }

    /** From now on it leads to another server: the connection to the one before is left at once (rule 84). */
    final void moveTo(SimulatedServer next) {
        Fault left = new Fault(Kind.DISCONNECTED, true, server.name, "Sentinels name another primary");
        server = next;
        previous = null;
        if (connection != null) {
            lose(left);
        } else if (started && !closed) {
            attempt = null;
            if (retry != null) {
                retry.cancel();
            }
            connectLater();
        }
    }

    // --- heartbeat, as in the production transport ---

    final void heard() {
        lastHeardNanos = world.nanos();
        pinged = false;
        putOff = false;
    }

    private void startHeartbeat() {
        heard();
        schedule(options.heartbeat().toNanos());
    }

    private void schedule(long delayNanos) {
        long dueNanos = world.nanos() + delayNanos;
        beat = world.after(delayNanos, client, () -> beat(dueNanos));
    }

    private void beat(long dueNanos) {
        long now = world.nanos();
        long interval = options.heartbeat().toNanos();
        long timeout = options.commandTimeout().toNanos();
        long silence = now - lastHeardNanos;
        if (silence < interval) {
            schedule(interval - silence);
            return;
        }
        long expects = expectsSince();
        if (!pinged && expects < 0) {
            pinged = true;
            pingedNanos = now;
            ping();
            schedule(timeout);
            return;
        }
        long left = pinged ? timeout - (now - pingedNanos) : interval + timeout - Math.min(silence, now - expects);
        if (left > 0) {
            schedule(left);
        } else if (!putOff && now - dueNanos > timeout / 4) {
            putOff = true;
            schedule(timeout / 4);
        } else {
            lose(new Fault(Kind.DISCONNECTED, true, server.name, "no sign of life"));
        }
    }
}
