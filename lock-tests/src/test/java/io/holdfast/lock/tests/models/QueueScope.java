package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;

/** Which clients there are, what their calls want, and how much may go wrong. Times are in ticks. */
final class QueueScope {
    /** What a call wants. */
    enum Mode {
        WRITE,
        READ,
        PERMITS,
        /** The lock, by the scripts of plain locks: without the queue. */
        PLAIN
    }

    /**
     * A call, which acquires once.
     *
     * @param units how many permits; 1 for everything else
     * @param waits whether it waits when it is refused
     * @param downgrades whether it comes while the call before it, of the same owner, holds the lock for writing
     */
    record Want(int client, Mode mode, int units, int lease, boolean waits, boolean downgrades) {}

    static final int LEASE = 2;

    private static final int LOOSE = -1;

    final List<Want> wants = new ArrayList<>();
    private int clients;
    /** How long a reservation is kept for the one who has to claim it. */
    int window = 1;

    int poll = 2;
    int presence = 3;
    /** For how long the places of a client that is not present are passed over. */
    int passed = 3;

    int idle = LOOSE;
    int leavings;
    int reconnects;
    int drops;
    int crashes;
    int restarts;
    int pauses;
    int pauseTicks;
    int extension;
    int limit;
    int resized;
    boolean fenced = true;
    boolean asleep;
    boolean touches;

    /** A client, with what its calls want, in the order in which they come. */
    QueueScope client(Want... calls) {
        for (Want call : calls) {
            wants.add(new Want(clients, call.mode, call.units, call.lease, call.waits, call.downgrades));
        }
        clients++;
        return this;
    }

    static Want write() {
        return write(LEASE);
    }

    static Want write(int lease) {
        return new Want(0, Mode.WRITE, 1, lease, true, false);
    }

    /** Does not wait. */
    static Want tryWrite() {
        return new Want(0, Mode.WRITE, 1, LEASE, false, false);
    }

    static Want read() {
        return read(LEASE);
    }

    static Want read(int lease) {
        return new Want(0, Mode.READ, 1, lease, true, false);
    }

    static Want tryRead() {
        return new Want(0, Mode.READ, 1, LEASE, false, false);
    }

    /** Reads while the call before it writes. */
    static Want downgrade() {
        return new Want(0, Mode.READ, 1, LEASE, true, true);
    }

    static Want permits(int units) {
        return permits(units, LEASE);
    }

    static Want permits(int units, int lease) {
        return new Want(0, Mode.PERMITS, units, lease, true, false);
    }

    static Want plain() {
        return new Want(0, Mode.PLAIN, 1, LEASE, true, false);
    }

    /** Messages are faster than time, and a lock that could be used is idle for so many ticks at most. */
    QueueScope idle(int most) {
        idle = most;
        return this;
    }

    /** Whether everything that is on its way arrives before time passes. */
    boolean isPrompt() {
        return idle != LOOSE;
    }

    QueueScope window(int ticks) {
        window = ticks;
        return this;
    }

    /** Whether there is a lease that ends sooner than a reservation. */
    boolean hasShortLeases() {
        return wants.stream().anyMatch(want -> want.lease() < window);
    }

    QueueScope poll(int ticks) {
        poll = ticks;
        return this;
    }

    QueueScope passed(int ticks) {
        passed = ticks;
        return this;
    }

    QueueScope presence(int ticks) {
        presence = ticks;
        return this;
    }

    /** Of waiting calls: cancelled, interrupted, out of time. */
    QueueScope leavings(int most) {
        leavings = most;
        return this;
    }

    /** Of connections for commands. */
    QueueScope reconnects(int most) {
        reconnects = most;
        return this;
    }

    /** What is left in the socket of a broken connection may be executed at any time. */
    QueueScope unfenced() {
        fenced = false;
        return this;
    }

    /** Of connections for messages. */
    QueueScope drops(int most) {
        drops = most;
        return this;
    }

    QueueScope crashes(int most) {
        crashes = most;
        return this;
    }

    /** Clients die or pause only when nothing is reserved for them, and nothing that they sent is under way. */
    QueueScope asleep() {
        asleep = true;
        return this;
    }

    /** Of the server, without its data. */
    QueueScope restarts(int most) {
        restarts = most;
        return this;
    }

    /** A client does nothing for so many ticks at most. */
    QueueScope pauses(int most, int ticks) {
        pauses = most;
        pauseTicks = ticks;
        return this;
    }

    /** One hold is prolonged, to this lease. */
    QueueScope extension(int lease) {
        extension = lease;
        return this;
    }

    QueueScope limit(int permits) {
        limit = permits;
        resized = permits;
        return this;
    }

    /** Once the limit is changed to this. */
    QueueScope resized(int permits) {
        resized = permits;
        return this;
    }

    /** Each hold touches a resource that looks at tokens, once, also when it is over. */
    QueueScope touches() {
        touches = true;
        return this;
    }

    int clients() {
        return clients;
    }

    int clientOf(int call) {
        return wants.get(call).client();
    }
}
