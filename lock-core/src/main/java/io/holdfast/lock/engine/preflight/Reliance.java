package io.holdfast.lock.engine.preflight;

/**
 * What a client relies on, as far as it decides what is a finding.
 *
 * @param names what its keys and channels are called
 * @param leaseMillis the lease of its locks that name none
 * @param overQuorum whether a majority of several independent servers keeps them
 * @param failsOver whether another server may become the primary
 * @param replicas how many replicas each grant waits for; 0 if the option is off
 * @param onDisk whether it waits for their disks
 * @param guarded whether the failover guard is on
 */
record Reliance(
        NamesInUse names,
        long leaseMillis,
        boolean overQuorum,
        boolean failsOver,
        int replicas,
        boolean onDisk,
        boolean guarded) {

    boolean waitsForReplicas() {
        return replicas > 0;
    }
}
