package io.holdfast.lock.tests.soak;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One soak, from the start of the servers to the last look at what is left. The first server stands alone, the other
 * three are a quorum.
 */
final class Soak implements AutoCloseable {

    static final int JVMS = 4;
    static final int QUORUM_NODES = 3;

    private static final int TROUBLEMAKERS = 2;
    /** A claim comes in when its hold ends, and later if its JVM is stopped then. */
    private static final long LATEST_CLAIM_NANOS = TimeUnit.MINUTES.toNanos(3);

    private static final Duration VITALS_AT_LEAST_EVERY = Duration.ofSeconds(30);
    private static final int VITALS_AT_LEAST = 12;
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    final SoakOptions options;
    final Invariants invariants = new Invariants(LATEST_CLAIM_NANOS);
    final List<Site> sites = new ArrayList<>();
    final List<Jvm> jvms = new ArrayList<>();
    final List<Troublemaker> troublemakers = new ArrayList<>();
    volatile long startNanos;
    private final Progress progress;

    Soak(SoakOptions options, Progress progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Soaks; afterwards {@link #invariants} has all that was wrong. */
    void run() throws Exception {
        Random seeds = new Random(options.seed());
        for (int i = 0; i <= QUORUM_NODES; i++) {
            sites.add(new Site());
        }
        List<String> urls = sites.stream().map(site -> site.proxy().url()).toList();
        for (int i = 1; i <= JVMS; i++) {
            jvms.add(new Jvm("jvm" + i, seeds.nextLong(), urls, invariants));
        }
        for (Jvm jvm : jvms) {
            expect(jvm.name + ": its start", "", answer(jvm.ready));
        }
        startNanos = System.nanoTime();
        List<Thread> trouble = new ArrayList<>();
        for (int i = 0; i < TROUBLEMAKERS; i++) {
            Troublemaker troublemaker = new Troublemaker(seeds.nextLong(), sites, jvms, invariants);
            troublemakers.add(troublemaker);
            Thread thread = new Thread(troublemaker, "soak-trouble-" + i);
            thread.setDaemon(true);
            thread.start();
            trouble.add(thread);
        }
        watch();
        troublemakers.forEach(Troublemaker::stop);
        for (Thread thread : trouble) {
            thread.join();
        }
        sites.forEach(site -> site.proxy().heal());
        progress.say("healed; waiting for every call to end");
        end();
    }

    private void watch() {
        long lengthNanos = options.length().toNanos();
        long vitalsNanos = Math.min(VITALS_AT_LEAST_EVERY.toNanos(), lengthNanos / VITALS_AT_LEAST);
        long nextVitalsNanos = startNanos + vitalsNanos;
        while (System.nanoTime() - startNanos < lengthNanos && jvms.stream().noneMatch(Jvm::isDead)) {
            Pause.millis(1_000);
            if (System.nanoTime() - nextVitalsNanos >= 0) {
                jvms.forEach(jvm -> jvm.say("vitals"));
                nextVitalsNanos += vitalsNanos;
            }
            progress.show(this);
        }
    }

    private void end() throws Exception {
        jvms.forEach(jvm -> jvm.say("stop"));
        for (Jvm jvm : jvms) {
            expect(jvm.name + ": calls that have not ended", "0", answer(jvm.stopped));
        }
        // What nobody undid by now is over after a lease.
        awaitNoKeys(SoakClients.LONGEST_LEASE.plusSeconds(2));
        compareCounters();
        jvms.forEach(jvm -> jvm.say("close"));
        for (Jvm jvm : jvms) {
            expect(jvm.name + ": threads of closed clients", "", answer(jvm.closed));
            jvm.heap.complaint().ifPresent(invariants::violation);
            jvm.descriptors.complaint().ifPresent(invariants::violation);
        }
        for (Site site : sites) {
            expect(site.server().url() + ": connections of closed clients", "[]", "" + site.clientConnections());
        }
    }

    private void awaitNoKeys(Duration longest) {
        long waitStartNanos = System.nanoTime();
        List<String> left = lockKeys();
        while (!left.isEmpty() && System.nanoTime() - waitStartNanos < longest.toNanos()) {
            Pause.millis(100);
            left = lockKeys();
        }
        expect("keys left a lease after the last call", "[]", left.toString());
    }

    private List<String> lockKeys() {
        return sites.stream().flatMap(site -> site.lockKeys().stream()).toList();
    }

    private void compareCounters() {
        try (LockClient client = LockClient.connect(sites.get(0).server().url())) {
            for (String lock : invariants.locks()) {
                FencedValue counter = client.getFencedValue(lock);
                invariants.acceptFinalCount(
                        lock, counter.get().map(Long::parseLong).orElse(0L));
            }
        }
    }

    private static String answer(CompletableFuture<String> word) {
        try {
            return word.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception none) {
            return "no answer: " + none;
        }
    }

    private void expect(String what, String expected, String found) {
        if (!found.equals(expected)) {
            invariants.violation(what + ": " + found + " (expected: " + (expected.isEmpty() ? "none" : expected) + ")");
        }
    }

    /** The sum over all JVMs. */
    long count(Tally.End end) {
        return jvms.stream().mapToLong(jvm -> jvm.count(end)).sum();
    }

    int count(FaultKind kind) {
        return troublemakers.stream()
                .mapToInt(troublemaker -> troublemaker.countOf(kind))
                .sum();
    }

    @Override
    public void close() {
        jvms.forEach(Jvm::close);
        sites.forEach(Site::close);
    }
}
