package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A slot that is being moved from one master to another, key by key, as {@code redis-cli --cluster reshard} does it; it stays as
 * it is between any two calls.
 *
 * <p>While it lasts the source serves the keys that it has, and answers {@code ASK} for others; the target serves the slot
 * to a client that says {@code ASKING}. A command of which some keys are at the one and some at the other hears {@code TRYAGAIN}.
 */
public final class SlotMove {
    private static final String MIGRATE_MILLIS =
            String.valueOf(Duration.ofSeconds(5).toMillis());

    private final ServerCluster cluster;
    private final int slot;
    private final RedisServer source;
    private final RedisServer target;

    private SlotMove(ServerCluster cluster, int slot, RedisServer source, RedisServer target) {
        this.cluster = cluster;
        this.slot = slot;
        this.source = source;
        this.target = target;
    }

    /** The target knows first: a client that the source sends there by {@code ASK} must be served. */
    static SlotMove begin(ServerCluster cluster, int slot, RedisServer source, RedisServer target) {
        SlotMove move = new SlotMove(cluster, slot, source, target);
        move.setSlot(target, "IMPORTING", cluster.idOf(source));
        move.setSlot(source, "MIGRATING", cluster.idOf(target));
        return move;
    }

    /** The slot. */
    public int slot() {
        return slot;
    }

    /** Which owned the slot when the move began. */
    public RedisServer source() {
        return source;
    }

    /** Which is to own it. */
    public RedisServer target() {
        return target;
    }

    /** The keys that are still at the source. */
    public List<String> keysLeft() {
        return keysAt(source);
    }

    /** The keys that are at the target already. */
    public List<String> keysMoved() {
        return keysAt(target);
    }

    private List<String> keysAt(RedisServer node) {
        try (RawRedis connection = node.connect()) {
            String count = String.valueOf(connection.integer("CLUSTER", "COUNTKEYSINSLOT", String.valueOf(slot)));
            return connection.list("CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), count);
        }
    }

    /** Moves one key to the target; false if the source doesn't have it. */
    public boolean moveKey(String key) {
        return migrate(source, target, key);
    }

    /** Moves all keys that are at the source. */
    public void moveKeys() {
        keysLeft().forEach(this::moveKey);
    }

    /**
     * Ends the move: the target owns the slot. The target is told first, then the source, then the other masters; replicas
     * hear of it from them.
     *
     * @throws IllegalStateException when keys are at the source; the slot is still open then
     */
    public void finish() {
        List<String> left = keysLeft();
        if (!left.isEmpty()) {
            throw new IllegalStateException(this + ": not moved yet: " + left);
        }
        tell(target);
        tellUnlessItFollows(source);
        cluster.masters().stream()
                .filter(master -> master != target && master != source && master.isAnswering())
                .forEach(this::tell);
    }

    /** A source without any other slot follows the target as soon as it hears of it, and takes no such word then. */
    private void tellUnlessItFollows(RedisServer node) {
        try {
            tell(node);
        } catch (RedisErrorReply refused) {
            if (!String.valueOf(refused.getMessage()).contains("only with masters")) {
                throw refused;
            }
        }
    }

    /** Tells one node that the target owns the slot; for a test that stops between the nodes of {@link #finish()}. */
    public void tell(RedisServer node) {
        setSlot(node, "NODE", cluster.idOf(target));
    }

    /**
     * Ends the move as if it had not begun: the keys that were moved are brought back, and the slot is not open any more. The
     * source takes keys of the slot only when it doesn't move it any more, so for an instant such a key is missed there.
     */
    public void callOff() {
        setSlot(source, "STABLE");
        keysMoved().forEach(key -> migrate(target, source, key));
        setSlot(target, "STABLE");
    }

    private boolean migrate(RedisServer from, RedisServer to, String key) {
        List<String> command =
                new ArrayList<>(List.of("MIGRATE", to.host(), String.valueOf(to.port()), key, "0", MIGRATE_MILLIS));
        to.password().ifPresent(password -> command.addAll(List.of("AUTH", password)));
        try (RawRedis connection = from.connect()) {
            return "OK".equals(connection.text(command.toArray(String[]::new)));
        }
    }

    private void setSlot(RedisServer node, String... words) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "SETSLOT", String.valueOf(slot)));
        command.addAll(List.of(words));
        ServerCluster.command(node, command.toArray(String[]::new));
    }

    /** The slot, and between which nodes. */
    @Override
    public String toString() {
        return "slot " + slot + " from " + source.host() + ":" + source.port() + " to " + target.host() + ":"
                + target.port();
    }
}
