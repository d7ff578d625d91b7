package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.harness.Background;

/**
 * A fault that a trial plays again and again.
 *
 * @param forgets whether servers may forget locks, so that an earlier owner may be followed though its hold is valid
 * @param work what is done; when it is over, locks can be had again
 * @param mending what brings the servers back to how they were; not part of the fault
 */
record TrialFault(String label, Seen.Harm harm, boolean forgets, Work work, Background.Work mending) {

    /** What is done to the servers, or to the processes of the load. */
    interface Work {
        void play(PlayedLoad load) throws Exception;
    }

    static TrialFault outage(String label, boolean forgets, Background.Work work, Background.Work mending) {
        return new TrialFault(label, Seen.Harm.OUTAGE, forgets, load -> work.run(), mending);
    }

    /** Locks have to be granted all the same. */
    static TrialFault trouble(String label, Background.Work work) {
        return new TrialFault(label, Seen.Harm.TROUBLE, false, load -> work.run(), () -> {});
    }

    /** A process of the load, whose holds are the long ones, stands still for longer than its leases. */
    static TrialFault frozenClient(Stage stage) {
        return new TrialFault(
                "a client's JVM stopped past its lease",
                Seen.Harm.FREEZE,
                false,
                load -> {
                    Worker worker = load.worker(2);
                    worker.pause();
                    stage.during(Trial.LEASE.plusSeconds(1));
                    worker.resume();
                },
                () -> {});
    }
}
