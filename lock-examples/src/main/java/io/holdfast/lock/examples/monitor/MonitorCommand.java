package io.holdfast.lock.examples.monitor;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.ExampleServer;
import io.holdfast.lock.examples.ServerOptions;
import io.holdfast.lock.examples.console.Console;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the server really executes for a lock. */
@Command(
        name = "monitor",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "What the server really executes for a lock, command by command.",
        description = {
            "Listens with MONITOR while locks are taken, handed over and given back. Scripts are shown by name; "
                    + "indented below each is what it did inside the server. Only the commands of this command's own "
                    + "clients are shown.",
            "",
            "MONITOR slows the server down: do not point this at a busy one."
        })
public final class MonitorCommand implements Callable<Integer> {

    private static final long WAITER_SECONDS = 30;

    /** Long enough to see the subscription being given up. */
    private static final long AFTERMATH_MILLIS = 1_500;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Override
    public Integer call() throws InterruptedException, ExecutionException, TimeoutException {
        Console console = server.console();
        String run = UUID.randomUUID().toString().substring(0, 8);
        try (ExampleServer redis = server.open(console);
                LockClient a = connect(redis, "monitor-a-" + run);
                LockClient b = connect(redis, "monitor-b-" + run)) {
            Wiretap[] tap = new Wiretap[1];
            Transcript transcript = new Transcript(console, new ScriptNames(), () -> tap[0].connections());
            transcript.know("monitor-a-" + run, "A");
            transcript.know("monitor-b-" + run, "B");
            transcript.shorten("jobs-" + run, "jobs");
            transcript.shorten(a.id(), "A");
            transcript.shorten(b.id(), "B");
            try (Wiretap wiretap = new Wiretap(redis.url(), transcript::add)) {
                tap[0] = wiretap;
                Scene scene = new Scene(console, wiretap, transcript, "jobs-" + run);
                scene.loadScripts(a, b);
                scene.uncontended(a);
                scene.reentrant(a);
                scene.betweenClients(a, b);
                scene.insideOneClient(a);
            }
        }
        return 0;
    }

    private static LockClient connect(ExampleServer redis, String clientName) {
        return LockClient.connect(
                redis.url(), ClientOptions.builder().clientName(clientName).build());
    }

    /** The parts of the play. */
    private record Scene(Console console, Wiretap wiretap, Transcript transcript, String name) {

        /** Makes the server know the scripts, so that what follows is the steady state. */
        void loadScripts(LockClient a, LockClient b) throws InterruptedException, ExecutionException, TimeoutException {
            for (LockClient client : new LockClient[] {a, b}) {
                RLock lock = client.getLock(name);
                lock.lock();
                lock.lock();
                lock.unlock();
                CompletableFuture<LockHold> next = lock.acquireAsync().toCompletableFuture();
                lock.unlock();
                next.get(WAITER_SECONDS, TimeUnit.SECONDS).close();
            }
            TimeUnit.MILLISECONDS.sleep(AFTERMATH_MILLIS);
        }

        void uncontended(LockClient a) throws InterruptedException {
            begin("lock() and unlock(), nobody else wants it");
            RLock lock = a.getLock(name);
            lock.lock();
            lock.unlock();
            end(0);
        }

        void reentrant(LockClient a) throws InterruptedException {
            RLock lock = a.getLock(name);
            lock.lock();
            begin("lock() once more by the same thread, and its unlock()");
            lock.lock();
            lock.unlock();
            end(0);
            lock.unlock();
        }

        void betweenClients(LockClient a, LockClient b)
                throws InterruptedException, ExecutionException, TimeoutException {
            handOver("A holds it, B waits, A unlocks: the server wakes B", a, b, 200);
        }

        /** Soon enough after the grant: a client that had its lock for longer lets other processes have their turn. */
        void insideOneClient(LockClient a) throws InterruptedException, ExecutionException, TimeoutException {
            handOver("A holds it, another call of A waits, A unlocks: handed over inside A", a, a, 10);
        }

        private void handOver(String title, LockClient holder, LockClient waiter, long holdMillis)
                throws InterruptedException, ExecutionException, TimeoutException {
            begin(title);
            RLock lock = holder.getLock(name);
            lock.lock();
            CompletableFuture<LockHold> next =
                    waiter.getLock(name).acquireAsync().toCompletableFuture();
            TimeUnit.MILLISECONDS.sleep(holdMillis);
            lock.unlock();
            next.get(WAITER_SECONDS, TimeUnit.SECONDS).close();
            end(AFTERMATH_MILLIS);
        }

        private void begin(String title) throws InterruptedException {
            wiretap.catchUp();
            console.heading(title);
            transcript.begin();
        }

        private void end(long aftermathMillis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(aftermathMillis);
            wiretap.catchUp();
            console.print(console.good("  " + transcript.end()));
        }
    }
}
