package io.holdfast.lock.tests.chaos;

import static io.holdfast.lock.tests.chaos.Row.Trait.NETWORK;
import static io.holdfast.lock.tests.chaos.Row.Trait.QUORUM;
import static io.holdfast.lock.tests.chaos.Row.Trait.SHORT;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The fault matrix. Numbers are those of the whole matrix; rows 10 to 19 and 47 are about deployments that the library
 * does not speak to yet.
 */
final class Matrix {

    private static final List<Row> ROWS = new ArrayList<>();

    static {
        row("1", "crash without persistence", "kill -9, restart", "the loss is told within a renewal interval; FM")
                .play(ServerRows::crash, SHORT);
        row("2", "crash with AOF", "kill -9, restart", "lock, token and time to live survive; ME FM")
                .play(ServerRows::crashWithFile, SHORT);
        row("3", "power loss", "kill -9, 60 bytes cut off the AOF", "the loss is told within a renewal interval; FM")
                .play(ServerRows::powerLoss);
        row("4", "server frozen past the lease", "SIGSTOP", "LOST at validUntil; ME LV; tokens save the counter")
                .play(ServerRows::frozen, SHORT);
        row("5", "server frozen, acquire in flight", "SIGSTOP, then the call again", "HC: counted once")
                .play(ServerRows::frozenWithAcquireInFlight, SHORT);
        row(
                        "6",
                        "reply dropped after it was applied",
                        "replies swallowed, cut at any byte",
                        "unknown, then resolved; HC")
                .play(ReplyRows::replyLost, SHORT);
        row("7", "late copy of an acquire", "bytes left in sockets; requests doubled", "refused or undone; HC")
                .play(ReplyRows::lateCopy, SHORT);
        row("8", "reply to a release lost", "replies, or requests, swallowed", "released once; ERR")
                .play(ReplyRows::releaseUnheard, SHORT);
        row("9", "release after expiry or take-over", "short lease; key deleted", "LOST; the successor untouched")
                .play(ReplyRows::releaseTooLate, SHORT);
        row("20", "only messages are lost", "pub/sub connections blackholed", "NLW by polling")
                .play(MessageRows::messagesCut, SHORT);
        row(
                        "21",
                        "subscriptions killed",
                        "CLIENT KILL TYPE pubsub; ACL channel revoked",
                        "subscribes again, looks; NLW")
                .play(MessageRows::subscribersKilled, SHORT);
        row("22", "release before the subscription", "SUBSCRIBE held up", "looks after the confirmation; NLW")
                .play(MessageRows::releasedBeforeSubscribed);
        row("23", "pub/sub output buffer overrun", "flood to a subscriber that doesn't read", "as 21")
                .play(MessageRows::messagesOverrun);
        row(
                        "24",
                        "half-open TCP",
                        "packets dropped silently (iptables); a blackhole route",
                        "dead peer found within ping + timeout")
                .play(NetworkRows::halfOpen, SHORT, NETWORK);
        row("25", "slow server", "DEBUG SLEEP, CLIENT PAUSE, narrow link", "ME LV")
                .play(NetworkRows::slow);
        row("26", "10 to 20 % packet loss", "iptables -m statistic", "ME HC LV")
                .play(NetworkRows::lossy, SHORT, NETWORK);
        row("27", "scripts forgotten", "SCRIPT FLUSH, restart", "reloaded; HC").play(AnswerRows::scriptsForgotten);
        row("28", "BUSY", "an endless script", "retry; LOST if validity passes").play(AnswerRows::busy, SHORT);
        row("29", "LOADING", "restart with a delay for each key", "retry, no grant")
                .play(AnswerRows::loading);
        row("30", "READONLY, MASTERDOWN", "REPLICAOF a port where nobody is", "retry, typed; ME")
                .play(AnswerRows::replica);
        row("31", "memory full, noeviction", "maxmemory 1", "typed error; release and renew still work")
                .play(LimitRows::memoryFull, SHORT);
        row("32", "locks and tokens evicted", "allkeys-lru under pressure", "LOST; a warning at connect; FM")
                .play(LimitRows::evicted, SHORT);
        row("33", "maxclients reached", "CONFIG SET maxclients", "backoff; held locks keep their connection")
                .play(LimitRows::noClientsAdmitted);
        row("34", "credentials", "password rotated, rights taken away, user deleted", "typed error, no retry storm")
                .play(LimitRows::credentials);
        row("35", "command connection killed", "CLIENT KILL in mid-pipeline", "RM HC")
                .play(PipelineRows::commandConnectionKilled, SHORT);
        row("36", "given up with a full pipeline", "cancel, time-out, interrupt", "RM")
                .play(PipelineRows::givenUp);
        row("37", "JVM frozen past the lease", "SIGSTOP of a client", "state() says so first; FM")
                .play(ClientRows::paused, SHORT);
        row("38", "client's wall clock jumps", "preloaded library, +-120 s", "waits and leases unaffected")
                .play(ClockRows::clientsClock);
        row("39", "server's wall clock steps", "preloaded library, +-120 s", "FM")
                .play(ClockRows::serversClock, SHORT);
        row("40", "interrupts", "at every stage of a call", "told or flagged; HC")
                .play(InterruptRows::everywhere, SHORT);
        row("41", "a thread dies while holding", "the thread ends", "renewal ends, the loss is told")
                .play(ClientRows::threadDies);
        row("42", "close() with waiters and holders", "close(), also with a silent server", "typed, released; LV")
                .play(ClientRows::closed, SHORT);
        row("43", "2,000 waiters on one lock", "one client, one release at a time", "O(1) wake-ups per release")
                .play(CrowdRows::waiters);
        row("44", "100,000 watched locks", "one client, one and a half leases", "none lost; batches under 2 ms")
                .play(CrowdRows::watched);
        row("45a", "RedLock: a minority is down", "SIGSTOP and kill -9 of two of five; of three", "ME; FM; LV")
                .play(QuorumRows::minorityDown, SHORT, QUORUM);
        row("45b", "RedLock: split vote", "2-2-1, each client near to other servers", "ends with a winner; ME FM")
                .play(QuorumRows::splitVote, SHORT, QUORUM);
        row(
                        "45c",
                        "RedLock: a restart that forgets",
                        "kill -9, restart without data",
                        "no other owner is granted the lock; ME FM")
                .play(QuorumRows::forgetful, QUORUM);
        row("45d", "RedLock: one clock steps", "preloaded library, 120 s", "a hold on all three stands; FM")
                .play(QuorumRows::oneClockSteps, QUORUM);
        row("45e", "RedLock: release lost on two", "requests, or replies, swallowed", "over; settled later; HC")
                .play(QuorumRows::releaseLostOnTwo, SHORT, QUORUM);
        row("46", "blocking call on an event loop", "callbacks run where replies are read", "refused, no deadlock")
                .play(ClientRows::onEventLoop);
    }

    private Matrix() {}

    static List<Row> rows() {
        return List.copyOf(ROWS);
    }

    static Row row(String name) {
        return ROWS.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no row " + name));
    }

    private static Draft row(String name, String fault, String cause, String must) {
        return (scenario, traits) -> ROWS.add(new Row(name, fault, cause, must, Set.of(traits), scenario));
    }

    /** A row whose scenario is still to be named. */
    private interface Draft {
        void play(Row.Scenario scenario, Row.Trait... traits);
    }
}
