package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A seeded run of calls of five threads on one lock, with answers and faults drawn by lot. One seed, one run. */
final class RandomRun {
    private static final int STEPS = 400;
    private static final int THREADS = 5;

    private final Random random;
    private final Consumer<Sent> onSent;
    private final ScriptedBackend backend;
    private final RLock lock;
    private final List<CompletableFuture<?>> calls = new ArrayList<>();
    private int seen;
    private long token;

    /** @param onSent looks at every call in the order of sending */
    RandomRun(long seed, Consumer<Sent> onSent) {
        this.random = new Random(seed);
        this.onSent = onSent;
        this.backend = new ScriptedBackend(seed);
        LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
        this.lock = client.getLock("stock");
    }

    void run() {
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(8)) {
                case 0 -> calls.add(lock.tryLockAsync(2, 1, SECONDS, thread()).toCompletableFuture());
                case 1 -> calls.add(lock.lockAsync(thread()).toCompletableFuture());
                case 2, 3 -> lock.unlockAsync(thread());
                case 4 -> cancelOne();
                case 5 -> backend.runtime.advanceMillis(random.nextInt(300));
                default -> answerOne();
            }
            while (seen < backend.sent.size()) {
                onSent.accept(backend.sent.get(seen++));
            }
        }
    }

    private long thread() {
        return 1 + random.nextInt(THREADS);
    }

    private void cancelOne() {
        if (!calls.isEmpty()) {
            calls.remove(random.nextInt(calls.size())).cancel(false);
        }
    }

    private void answerOne() {
        List<Sent> open = backend.open();
        if (open.isEmpty()) {
            return;
        }
        Sent call = open.get(0);
        boolean taking = call.script().equals("acquire") || call.script().equals("transfer");
        switch (random.nextInt(6)) {
            case 0 -> call.disconnected();
            case 1 -> call.fault(Fault.Kind.LOADING, false);
            case 2 -> refuse(call);
            default -> {
                if (taking) {
                    call.granted(++token);
                } else {
                    call.done();
                }
            }
        }
    }

    private static void refuse(Sent call) {
        if (call.script().equals("acquire")) {
            call.refused(500);
        } else {
            call.gone();
        }
    }
}
