package io.holdfast.lock.examples.failover;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What the buyers of one process are told by the parent, and where they say what happens to them. */
final class Shopping {

    private static final long LOOK_MILLIS = 2;

    private final Consumer<String> says;
    private final Set<String> closed = ConcurrentHashMap.newKeySet();
    private final Set<String> slow = ConcurrentHashMap.newKeySet();
    private final Set<String> first = ConcurrentHashMap.newKeySet();
    private final CountDownLatch woken = new CountDownLatch(1);
    private volatile boolean over;

    /** @param says takes one line at a time, from any thread */
    Shopping(Consumer<String> says) {
        this.says = says;
    }

    /** Obeys one of the orders that {@link FailoverBuyersCommand} names. */
    void obey(String order) {
        String[] words = order.split(" ");
        switch (words[0]) {
            case "rest" -> closed.add(words[1]);
            case "slow" -> {
                slow.add(words[1]);
                closed.remove(words[1]);
            }
            case "quick" -> slow.remove(words[1]);
            case "first" -> first.add(words[1]);
            case "wake" -> woken.countDown();
            case "stop" -> over = true;
            default ->
                throw new IllegalArgumentException(
                        "order: '" + order + "' (expected: rest, slow, quick, first, wake or stop)");
        }
    }

    /** Waits while the article is not for sale. */
    void awaitOpen(String article) throws InterruptedException {
        boolean told = false;
        while (closed.contains(article) && !over) {
            if (!told) {
                told = true;
                says("rests", article, "");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Whether the next buyer of the article is to take its time. */
    boolean isSlow(String article) {
        return slow.contains(article);
    }

    /** Returns when the parent wakes the slow buyers. */
    void sleep() throws InterruptedException {
        woken.await();
    }

    boolean isOver() {
        return over;
    }

    void granted(String article) {
        if (first.remove(article)) {
            says.accept("granted " + article);
        }
    }

    void says(String what, String article, Object detail) {
        says.accept((what + " " + article + " " + detail).stripTrailing());
    }
}
