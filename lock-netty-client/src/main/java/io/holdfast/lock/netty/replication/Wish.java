package io.holdfast.lock.netty.replication;

import java.util.concurrent.TimeUnit;

/**
 * What a client wants of replicas.
 *
 * @param key what it may write, so that there is something to wait for; in a cluster, what that begins with
 * @param replicas how many have to confirm
 * @param timeoutNanos how long they have
 * @param onDisk whether it has to be on their disks, and on the server's own
 */
public record Wish(String key, int replicas, long timeoutNanos, boolean onDisk) {

    /** Long enough that the key is there for as long as its client asks, and gone soon after. */
    private static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(2);

    /** How many servers there are besides the replicas, which WAITAOF counts apart. */
    private static final String THE_SERVER_ITSELF = "1";

    /** WAIT takes 0 for ever, and knows nothing shorter than a millisecond. */
    long timeoutMillis() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
    }

    long keptMillis() {
        return KEPT_MILLIS;
    }

    /** The words that wait for them. */
    String[] command() {
        String wanted = Integer.toString(replicas);
        String millis = Long.toString(timeoutMillis());
        return onDisk
                ? new String[] {"WAITAOF", THE_SERVER_ITSELF, wanted, millis}
                : new String[] {"WAIT", wanted, millis};
    }

    boolean isMetBy(Confirmed confirmed) {
        return confirmed.byServer() && confirmed.replicas() >= replicas;
    }

    /** Why what has confirmed is not enough. */
    String unmetBy(Confirmed confirmed) {
        String within = " within " + timeoutMillis() + " ms";
        if (!confirmed.byServer()) {
            return "the server itself had it not on disk" + within + " (expected: more time than that takes)";
        }
        String which = of(confirmed.replicas(), " replica", " replicas");
        return onDisk
                ? which + " had it on disk" + within + " (expected: appendonly yes there, and more time than it takes)"
                : which + " confirmed" + within;
    }

    String tooFewConnected(int connected) {
        return of(connected, " replica is", " replicas are") + " connected and in step (expected: " + replicas
                + " or more, or fewer in waitForReplicas)";
    }

    private String of(int number, String one, String several) {
        return number + " of " + replicas + (replicas == 1 ? one : several);
    }
}
