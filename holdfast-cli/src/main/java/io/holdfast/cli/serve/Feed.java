package io.holdfast.cli.serve;

import io.holdfast.cli.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/**
 * Looks at a store while anybody watches, and tells each watcher all locks at first and then the differences.
 *
 * <p>A look costs the servers requests, so the next one follows soon after a look that differed, and late after one that did
 * not; and never sooner than ten times as long as the look itself took.
 */
public final class Feed implements AutoCloseable {

    private static final long IDLE_FACTOR = 5;
    private static final long COST_FACTOR = 10;
    /** A watcher that has not read so many messages is sent away, and comes back for all locks. */
    private static final int MOST_UNREAD = 100;

    private final Supplier<Look> source;
    private final long intervalMillis;
    private final List<Watcher> watchers = new ArrayList<>();
    private Look last = new Look(Map.of(), List.of(), "");
    private boolean looked;
    private boolean closed;

    /** @param intervalMillis the shortest time between two looks */
    public Feed(Supplier<Look> source, long intervalMillis) {
        this.source = source;
        this.intervalMillis = intervalMillis;
        Thread thread = new Thread(this::run, "holdfast-feed");
        thread.setDaemon(true);
        thread.start();
    }

    /** A browser's messages, in their order. */
    public final class Watcher implements AutoCloseable {

        private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

        /** The messages; whoever reads one that is empty has read too slowly, and starts anew. */
        public BlockingQueue<String> messages() {
            return messages;
        }

        private void tell(String message) {
            if (messages.size() < MOST_UNREAD) {
                messages.add(message);
            } else {
                messages.clear();
                messages.add("");
            }
        }

        @Override
        public void close() {
            synchronized (Feed.this) {
                watchers.remove(this);
            }
        }
    }

    /** Begins to watch. */
    public Watcher watch() {
        Watcher watcher = new Watcher();
        synchronized (this) {
            watchers.add(watcher);
            if (looked) {
                watcher.tell(message(Map.of(), last, true));
            }
            notifyAll();
        }
        return watcher;
    }

    private void run() {
        try {
            while (awaitWatchers()) {
                long begun = System.nanoTime();
                Look look = source.get();
                long tookMillis = (System.nanoTime() - begun) / 1_000_000;
                boolean changed = tell(look);
                Thread.sleep(
                        Math.max(changed ? intervalMillis : intervalMillis * IDLE_FACTOR, tookMillis * COST_FACTOR));
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean awaitWatchers() throws InterruptedException {
        while (watchers.isEmpty() && !closed) {
            // What was seen last is too old for the next watcher.
            looked = false;
            wait();
        }
        return !closed;
    }

    private synchronized boolean tell(Look look) {
        boolean first = !looked;
        boolean changed = first || !look.equals(last);
        String message = message(last.locks(), look, first);
        watchers.forEach(watcher -> watcher.tell(message));
        last = look;
        looked = true;
        return changed;
    }

    private static String message(Map<String, Map<String, Object>> before, Look look, boolean all) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("all", all);
        message.put("trouble", look.trouble());
        message.put("nodes", look.nodes());
        message.put(
                "locks",
                look.locks().entrySet().stream()
                        .filter(entry -> all || !Objects.equals(before.get(entry.getKey()), entry.getValue()))
                        .map(Map.Entry::getValue)
                        .toList());
        message.put(
                "gone",
                all
                        ? List.of()
                        : before.keySet().stream()
                                .filter(name -> !look.locks().containsKey(name))
                                .toList());
        return Json.of(message);
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
