package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One of many processes leads, and all of them know which.
 *
 * <pre>{@code
 * LeaderElection election = client.getElection("scheduler");
 * byte[] address = "10.0.0.7:8080".getBytes(java.nio.charset.StandardCharsets.UTF_8);
 * try (Registration watching = election.observe(leader -> System.out.println("leads: " + leader));
 *         Leadership leadership = election.campaign("node-7", address)) {
 *     while (leadership.validFor().compareTo(Duration.ofSeconds(1)) > 0) {
 *         // what only the leader does, with leadership.term() as its fencing token
 *     }
 * }
 * }</pre>
 *
 * <p>A candidate waits for the {@linkplain LockClient#getFairLock fair lock} of the election's name, and leads while it holds it:
 * on one server candidates lead in the order in which they came. The term is the hold's fencing token. The leader's id and value are
 * beside the lock, and count only while that is the leader's. A lock and an election of one name exclude each other.
 *
 * <p><b>Over a quorum</b> the lock is the plain one, and there is no order: of the candidates that wait the one that asks first leads
 * next, also after a term limit. A candidate leads when a majority of the servers has its record, and others see the leader that a majority
 * tells of. Where that can't be known, since too few servers answer, {@link #leader()} throws and observers are told nothing:
 * silence is not taken for "no candidate leads".
 *
 * <p>What it promises, on one server and over a majority of several:
 *
 * <ul>
 *   <li>At most one leadership is valid at a time, as with locks, and terms increase. {@code campaign} returns when others can see
 *       who leads.
 *   <li>A leader keeps its term for as long as its client renews it. Its lease is ten seconds, or the client's if that is shorter: so
 *       long after a leader has died the first candidate leads. A leader that resigns is followed after a message and a round trip, over a
 *       quorum after some more.
 *   <li>An observer is never told of a term that is older than one it was told of. It may miss terms that are over, and hears of a
 *       change within a message, or some seconds if the message was lost. While its client can't reach the server, or a majority, it
 *       is told nothing.
 *   <li>A leader that was lost never resumes its term: its process campaigns again, and has a new one.
 * </ul>
 *
 * <p>Any method throws {@link LockUnavailableException} if the server can't be reached for as long as the options allow,
 * {@link LockServerException} if it refuses, {@link LockClientClosedException} after {@link LockClient#close()}, and
 * {@link IllegalStateException} on a thread that may not block.
 */
public interface LeaderElection extends LeaderElectionAsync {

    /** The longest id of a candidate, in UTF-8. */
    int MAX_ID_BYTES = 1_024;

    /** The longest value of a leader. */
    int MAX_VALUE_BYTES = 64 * 1_024;

    /** The election's name. */
    String getName();

    /**
     * This election with a limit for the terms of candidates that campaign through it; others have none. A view: both are the
     * same election.
     *
     * <p>When a term has lasted so long, the leader's client gives it up: {@link Leadership#ended()} tells so, and from then on
     * {@link Leadership#validFor()} is zero. Nothing campaigns by itself; the application calls {@code campaign} again if it still wants
     * to lead. If candidates wait, the first of them leads, and the new call stands behind them all; if none does, it leads again at
     * once, with a new term. Over a quorum any of them may lead next, and so may the new call.
     *
     * @throws IllegalArgumentException if the limit is shorter than the lease, or longer than ten years
     */
    LeaderElection withTermLimit(Duration limit);

    /**
     * Waits until this candidate leads. Several campaigns of one id are several candidates.
     *
     * @param id which candidate this is, for others; 1 to {@link #MAX_ID_BYTES} bytes
     * @param value what others are to know of it as long as it leads, such as an address; at most {@link #MAX_VALUE_BYTES}
     * @throws InterruptedException if interrupted on entry or while waiting; then it does not lead
     * @throws LockLostException if the lock was lost before the leader could be proclaimed
     * @throws IllegalArgumentException if the id or the value is out of its bounds; nothing was sent
     */
    Leadership campaign(String id, byte[] value) throws InterruptedException;

    /**
     * Waits until this candidate leads, for so long at most.
     *
     * @param wait zero or less asks once, and on one server does not pass candidates that wait
     * @return empty if others led, or came before it, for the whole wait; over a quorum also if others asked at the same time
     */
    Optional<Leadership> campaign(String id, byte[] value, Duration wait) throws InterruptedException;

    /**
     * Who leads now; empty if no candidate does, or the one that is elected is not proclaimed yet.
     *
     * @throws LockUnavailableException also if too few servers of a quorum answer to know it
     */
    Optional<Leader> leader();

    /**
     * Tells who leads: first as it is now, then at each change, of the leader or its value.
     *
     * <p>Calls come one after the other, on threads for elections or on the callback executor that the client was given, and never
     * on a thread that is inside a call. One that takes its time delays no other observer, no loss and no lock; what has changed meanwhile it is told at once, the newest state only. What it
     * throws is logged. Observers end with their client.
     *
     * @param changes hears the leader, or that no candidate leads
     * @throws LockClientClosedException if the client is closed
     */
    Registration observe(Consumer<? super Optional<Leader>> changes);
}
