package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Row 40: an interrupt at every stage of a call. */
final class InterruptRows {

    private InterruptRows() {}

    static void everywhere(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        load.awaitGrants(10);
        LockClient client = stage.client(proxy.url());
        LockClient holder = stage.client(server.url());
        RLock lock = client.getLock("mine");
        lock.lock();
        lock.unlock();

        stage.trouble("interrupted before sending", () -> {
            Background<Boolean> call = Background.call(() -> {
                Thread.currentThread().interrupt();
                return lock.tryLock(1, TimeUnit.SECONDS);
            });
            expectInterrupted(stage, call, "before sending");
        });
        stage.trouble("interrupted awaiting the reply", () -> {
            proxy.holdReplies();
            Background<Boolean> call = Background.run(lock::lockInterruptibly);
            stage.await("the acquire is applied", () -> Stored.exists(raw, "mine"));
            call.interrupt();
            expectInterrupted(stage, call, "awaiting the reply");
            proxy.heal();
            stage.await("it is undone", () -> !Stored.exists(raw, "mine"));
        });
        stage.trouble("interrupted awaiting the subscription", () -> {
            LockHold hold = holder.getLock("mine").acquire();
            proxy.onAccept(FaultProxy.Link::holdReplies);
            proxy.connections().stream().skip(1).forEach(FaultProxy.Link::holdReplies);
            Background<Boolean> call = Background.call(() -> lock.tryLock(10, TimeUnit.SECONDS));
            stage.await("it waits", () -> client.inspect("mine").localWaiters() == 1);
            call.interrupt();
            expectInterrupted(stage, call, "awaiting the subscription");
            proxy.onAccept(link -> {});
            proxy.heal();
            hold.close();
        });
        stage.trouble("interrupted parked", () -> {
            LockHold hold = holder.getLock("mine").acquire();
            Background<Boolean> call = Background.call(() -> lock.tryLock(10, TimeUnit.SECONDS));
            Background<Boolean> next = Background.call(() -> {
                boolean locked = lock.tryLock(10, TimeUnit.SECONDS);
                lock.unlock();
                return locked;
            });
            stage.await("they wait", () -> Stored.subscribers(raw, "mine") == 1);
            call.awaitParked().interrupt();
            expectInterrupted(stage, call, "parked");
            hold.close();
            stage.expect(next.result(Duration.ofSeconds(3)), "NLW", "the next waiter was not granted");
        });
        stage.trouble("interrupted in unlock", () -> {
            Background<Boolean> call = Background.call(() -> {
                lock.lock();
                proxy.delayReplies(Duration.ofMillis(200));
                Thread.currentThread().interrupt();
                lock.unlock();
                return Thread.currentThread().isInterrupted();
            });
            stage.expect(call.result(), "ERR", "unlock() lost the flag");
            stage.expect(!Stored.exists(raw, "mine"), "HC", "unlock() did not release");
            proxy.heal();
            stage.bite(1, "interrupt in unlock: released, and the flag kept");
        });
        aroundTheGrant(stage, lock, raw);
        load.awaitGrants(10);
    }

    private static void expectInterrupted(Stage stage, Background<Boolean> call, String moment) throws Exception {
        try {
            call.result();
            stage.expect(false, "ERR", "interrupted " + moment + ", and not told");
        } catch (InterruptedException told) {
            stage.expect(!call.thread().isInterrupted(), "ERR", "interrupted " + moment + ": told and flagged");
            stage.bite(1, "interrupt " + moment + ": told, nothing held");
        }
    }

    /** At any moment: either the call throws and nothing is held, or it returns and the flag stands. */
    private static void aroundTheGrant(Stage stage, RLock lock, RawRedis raw) throws Exception {
        int granted = 0;
        int told = 0;
        for (int round = 0; round < stage.rounds(100, 500); round++) {
            Background<Boolean> call = Background.call(() -> {
                boolean locked = lock.tryLock(5, TimeUnit.SECONDS);
                lock.unlock();
                return locked;
            });
            long until = System.nanoTime() + stage.random.nextInt(600_000);
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            call.interrupt();
            try {
                granted += call.result() ? 1 : 0;
            } catch (InterruptedException givenUp) {
                told++;
            }
        }
        stage.await("nothing is held", () -> !Stored.exists(raw, "mine"));
        stage.bite(told, "interrupts around the grant told, " + granted + " came when the lock was granted");
    }
}
