package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.spi.ServerRun;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Three scripted nodes, a, b and c, with runs and markers, and one client whose restart guard looks at them. */
final class GuardedFleet {
    /** The longest lease, what clocks may drift meanwhile, and the second in which servers count. */
    static final long REQUIRED_MILLIS = 30_000 + 302 + 1_000;

    final ScriptedQuorum quorum = new ScriptedQuorum(3);

    /** What each node's marker is; null for none. */
    final String[] markers = new String[3];

    private final int[] runs = {0, 0, 0};
    private boolean appendOnly = true;
    private RLock lock;

    /** Whether the processes that start from now on keep an append-only file. */
    void keepsFiles(boolean keeps) {
        appendOnly = keeps;
    }

    /** A process starts, so many milliseconds from now; the client is not told. */
    void starts(int index, long inMillis) {
        runs[index] = Math.max(1, runs[index]);
        run(index, quorum.runtime.nanos() + TimeUnit.MILLISECONDS.toNanos(inMillis));
    }

    void startAll(long inMillis) {
        for (int i = 0; i < 3; i++) {
            starts(i, inMillis);
        }
    }

    private void run(int index, long upSinceNanos) {
        ScriptedBackend node = quorum.node(index);
        node.run = new ServerRun(node.describe() + runs[index], upSinceNanos, appendOnly);
    }

    /** The client comes. */
    Engine connect() {
        Engine engine =
                new Engine(List.copyOf(quorum.nodes), true, ClientOptions.defaults(), QuorumOptions.defaults(), "c");
        engine.start();
        lock = new EngineLock(
                engine,
                new Terms(Reentrant.KIND, ClientOptions.defaults().lockOptions()),
                "stock",
                KeyLayout.of(ClientOptions.defaults().lockOptions()).keys("stock"));
        return engine;
    }

    void restartWithoutData(int index) {
        restartWithoutData(index, 0);
    }

    /** It comes back with an uptime that its wall clock has made up. */
    void restartWithoutData(int index, long claimedMillis) {
        markers[index] = null;
        restart(index, claimedMillis);
    }

    void restartWithData(int index) {
        restart(index, 0);
    }

    private void restart(int index, long claimedMillis) {
        advance(10);
        quorum.node(index).lost();
        runs[index]++;
        tellsUptime(index, claimedMillis);
    }

    /** The next connection to the same process hears of this uptime. */
    void tellsUptime(int index, long millis) {
        run(index, quorum.runtime.nanos() - TimeUnit.MILLISECONDS.toNanos(millis));
        quorum.node(index).reconnected();
    }

    void advance(long millis) {
        quorum.runtime.advanceMillis(millis);
    }

    // --- calls ---

    CompletableFuture<Boolean> tryLock() {
        return lock.tryLockAsync(1).toCompletableFuture();
    }

    /** A call without a limit. */
    CompletableFuture<Void> lock() {
        return lock.lockAsync(1).toCompletableFuture();
    }

    void holdOnceAndRelease() {
        answerMarkers();
        tryLock();
        answerMarkers();
        grant(0, 1, 2);
        release();
    }

    void release() {
        answerMarkers();
        lock.unlockAsync(1);
        quorum.doneAll();
    }

    /** Each node's oldest call of this script without an answer; there must be one. */
    Sent open(int index, String script) {
        return quorum.node(index).open().stream()
                .filter(sent -> sent.script().equals(script))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + script + " at " + index + ": " + quorum.open()));
    }

    void grant(int... indices) {
        for (int index : indices) {
            open(index, "propose").granted(TOKEN);
        }
    }

    /** Whether the node is asked for the lock. */
    boolean asked(int index) {
        return quorum.node(index).open().stream().anyMatch(sent -> sent.script().equals("propose"));
    }

    void assertAsked(Integer... indices) {
        assertThat(List.of(0, 1, 2)).filteredOn(this::asked).containsExactly(indices);
    }

    /** Answers all that is asked about markers, as the nodes would. */
    void answerMarkers() {
        for (int i = 0; i < 3; i++) {
            for (Sent sent : quorum.node(i).open()) {
                if (sent.script().equals("mark") && markers[i] == null) {
                    markers[i] = sent.args.get(0);
                }
                if (sent.script().startsWith("mark")) {
                    sent.reply((Object) markers[i]);
                }
            }
        }
    }
}
