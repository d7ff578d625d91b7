package io.holdfast.lock.tests.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A library on servers of one kind, under load for some time while one fault follows the other.
 *
 * @param name how it is called in the report
 * @param peer the library
 * @param ground the servers
 */
record Trial(String name, Peer peer, TrialGround ground) {

    /** Of the watchdog: the guard's pause follows from it, and a frozen server outlasts it. */
    static final Duration LEASE = Duration.ofSeconds(4);

    /** Longer than a failover, its guard's pause included, mostly takes. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    /** Both locks are in one slot, so that a fault is a fault for both. */
    static final String BRIEFLY_HELD = ClusterRows.namesOfOneSlot(2).get(0);

    private static final String LONG_HELD = ClusterRows.namesOfOneSlot(2).get(1);
    private static final Duration CALM = Duration.ofSeconds(2);
    private static final Duration LONGEST_CALM = Duration.ofSeconds(15);
    private static final int CALM_GRANTS = 20;
    private static final int BRIEFLY_MILLIS = 40;
    static final int LONG_MILLIS = 3_000;

    static List<Trial> all() {
        List<Trial> trials = new ArrayList<>();
        for (TrialGround ground : TrialGround.values()) {
            trials.add(new Trial(ground.words, Peer.HOLDFAST, ground));
            if (ground == TrialGround.SENTINEL) {
                trials.add(new Trial(ground.words + ", guard", Peer.GUARDED, ground));
            }
            trials.add(new Trial(ground.words + ", Redisson", Peer.REDISSON, ground));
        }
        return List.copyOf(trials);
    }

    /** Whether what is found is a bug of this library. */
    boolean isOurs() {
        return peer != Peer.REDISSON;
    }

    /** As a row, whose number is its place in the report. */
    Row row(int number, Duration length) {
        return new Row(
                Integer.toString(number),
                name,
                "",
                "",
                ground == TrialGround.QUORUM ? Set.of(Row.Trait.QUORUM) : Set.of(),
                stage -> play(stage, length));
    }

    private void play(Stage stage, Duration length) throws Exception {
        long deadline = System.nanoTime() + length.toNanos();
        TrialGround.Site site = ground.open(stage, ClusterRows.slotOf(BRIEFLY_HELD));
        LoadPlan plan = stage.plan(site.urls()).with(peer).watchdog(LEASE).waiting(WAIT);
        LoadPlan briefly = plan.on(BRIEFLY_HELD).holding(BRIEFLY_MILLIS);
        LoadPlan lasting = plan.on(LONG_HELD).holding(LONG_MILLIS);
        PlayedLoad load = stage.load(briefly, briefly, lasting, lasting);
        calm(stage);
        for (int round = 0; round == 0 || System.nanoTime() - deadline < 0; round++) {
            TrialFault fault = site.faults().get(round % site.faults().size());
            long before = System.nanoTime();
            switch (fault.harm()) {
                case OUTAGE -> stage.fault(fault.label(), () -> strike(stage, fault, load));
                case TROUBLE -> stage.trouble(fault.label(), () -> strike(stage, fault, load));
                case FREEZE -> stage.freeze(fault.label(), () -> strike(stage, fault, load));
            }
            stage.bite(1, fault.label());
            // Redisson shows no time for which a hold is valid, so any fault excuses the end of one.
            if (peer == Peer.REDISSON || fault.forgets()) {
                stage.forgot(before, BRIEFLY_HELD, LONG_HELD);
            }
            fault.mending().run();
            calm(stage);
        }
    }

    private void strike(Stage stage, TrialFault fault, PlayedLoad load) throws Exception {
        fault.work().play(load);
        // The pause of a new primary is as the guard promises it.
        if (peer == Peer.GUARDED && fault.forgets()) {
            calm(stage);
        }
    }

    /** Some grants without a fault; that they do not come is seen in the figures. */
    private static void calm(Stage stage) throws InterruptedException {
        int before = stage.journal.grants();
        long deadline = System.nanoTime() + LONGEST_CALM.toNanos();
        stage.during(CALM);
        while (stage.journal.grants() < before + CALM_GRANTS && System.nanoTime() - deadline < 0) {
            stage.during(20);
        }
    }
}
