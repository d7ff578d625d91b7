package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Rows 27 to 30: the server answers, but not with what was asked for. */
final class AnswerRows {

    private static final Duration LONG_LEASE = Duration.ofSeconds(6);

    private AnswerRows() {}

    static void scriptsForgotten(Stage stage) throws Exception {
        RedisServer server = stage.server(builder -> builder.aof(true));
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(LONG_LEASE));
        raw.command("CONFIG", "RESETSTAT");
        int flushes = stage.rounds(6, 25);
        for (int round = 0; round < flushes; round++) {
            load.awaitGrants(4);
            stage.trouble("SCRIPT FLUSH", () -> raw.command("SCRIPT", "FLUSH"));
        }
        load.awaitGrants(10);
        long missing = errors(raw, "NOSCRIPT");
        stage.bite(
                missing,
                "times NOSCRIPT after " + flushes + " flushes, scripts sent "
                        + (raw.calls("eval") + raw.calls("script|load")) + " times");
        stage.fault("restart", server::restart);
        load.awaitGrants(10);
    }

    static void busy(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        raw.command("CONFIG", "SET", "lua-time-limit", "20");
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(Duration.ofSeconds(3)));
        LockClient client = stage.client(server.url());
        Actor owner = stage.actor("owner", client, Clients.watchdog(Duration.ofSeconds(3)));
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(8);
            Actor.Held held = ServerRows.granted(owner, "held");
            busyFor(stage, server, raw, "busy within validity", () -> stage.during(900));
            load.awaitGrants(8);
            stage.expect(held.look(), "ME", "the hold was lost within its validity");

            busyFor(stage, server, raw, "busy past validity", () -> {
                FailureReason reason = reasonOf(client);
                stage.expect(reason == FailureReason.BUSY, "ERR", "expected BUSY: " + reason);
                stage.await(
                        "the loss is told",
                        Duration.ofSeconds(5),
                        () -> held.hold().state() == HoldState.LOST);
            });
            held.release();
        }
        stage.bite(errors(raw, "BUSY"), "times BUSY");
        load.awaitGrants(8);
    }

    private static void busyFor(Stage stage, RedisServer server, RawRedis raw, String label, Background.Work meanwhile)
            throws Exception {
        stage.fault(label, () -> {
            Background<Boolean> script = Background.run(() -> {
                try (RawRedis own = server.connect()) {
                    own.timeout(Duration.ofSeconds(30));
                    own.command("EVAL", "while true do end", "0");
                } catch (RedisErrorReply killed) {
                    // By SCRIPT KILL, as it should be.
                }
            });
            stage.await("the server is busy", () -> {
                try {
                    raw.command("GET", "anything");
                    return false;
                } catch (RedisErrorReply refused) {
                    return String.valueOf(refused.getMessage()).startsWith("BUSY");
                }
            });
            meanwhile.run();
            raw.command("SCRIPT", "KILL");
            script.result();
        });
    }

    static void loading(Stage stage) throws Exception {
        RedisServer server = stage.server(builder -> builder.aof(true).option("key-load-delay", "150"));
        try (RawRedis raw = server.connect()) {
            raw.command("EVAL", "for i = 1, 10000 do redis.call('SET', 'filler-' .. i, i) end", "0");
        }
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(LONG_LEASE));
        LockClient client = stage.client(server.url());
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(8);
            int[] seen = new int[1];
            RFuture<Optional<LockHold>>[] waiter = array();
            long[] back = new long[1];
            stage.fault("kill -9, a long load", () -> {
                server.kill();
                waiter[0] = client.getLock("mine").tryAcquireAsync(Duration.ofSeconds(30));
                Background<Boolean> restart = Background.run(server::restart);
                while (!restart.isDone()) {
                    if (isLoading(server)) {
                        seen[0]++;
                        stage.expect(!waiter[0].isDone(), "ME", "granted while the server was loading");
                    }
                    stage.during(10);
                }
                restart.result();
                back[0] = System.nanoTime();
            });
            waiter[0].get(10, TimeUnit.SECONDS).orElseThrow().close();
            stage.bite(
                    seen[0],
                    "looks at a loading server; nothing granted, the waiter had the lock " + Stage.millisSince(back[0])
                            + " ms after");
        }
        load.awaitGrants(10);
    }

    @SuppressWarnings("unchecked")
    private static <T> RFuture<T>[] array() {
        return new RFuture[1];
    }

    private static boolean isLoading(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            raw.command("GET", "filler-1");
            return false;
        } catch (RedisErrorReply refused) {
            return String.valueOf(refused.getMessage()).contains("LOADING");
        } catch (UncheckedIOException notUp) {
            return false;
        }
    }

    static void replica(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(LONG_LEASE));
        LockClient client = stage.client(server.url());
        for (int round = 0; round < stage.rounds(2, 6); round++) {
            boolean stale = round % 2 == 0;
            load.awaitGrants(8);
            raw.command("CONFIG", "SET", "replica-serve-stale-data", stale ? "yes" : "no");
            stage.fault(stale ? "a replica" : "a replica without master", () -> {
                raw.command("REPLICAOF", "127.0.0.1", "1");
                FailureReason reason = reasonOf(client);
                FailureReason expected = stale ? FailureReason.READONLY : FailureReason.MASTERDOWN;
                stage.expect(reason == expected, "ERR", "expected " + expected + ": " + reason);
                stage.during(500);
                raw.command("REPLICAOF", "NO", "ONE");
            });
            load.awaitGrants(8);
        }
        stage.bite(errors(raw, "READONLY"), "times READONLY");
        stage.bite(errors(raw, "MASTERDOWN"), "times MASTERDOWN");
    }

    /** How a single attempt fails; null if it does not. */
    static @Nullable FailureReason reasonOf(LockClient client) {
        return reasonOf(client, "attempt");
    }

    /** The same, at a lock of this name. */
    static @Nullable FailureReason reasonOf(LockClient client, String lock) {
        try {
            if (client.getLock(lock).tryLock()) {
                client.getLock(lock).unlock();
            }
            return null;
        } catch (LockException refused) {
            return refused.reason();
        }
    }

    /** How often the server has answered with this error. */
    static long errors(RawRedis raw, String error) {
        String count = raw.info("errorstats").get("errorstat_" + error);
        return count == null ? 0 : Long.parseLong(count.replaceFirst(".*count=(\\d+).*", "$1"));
    }
}
