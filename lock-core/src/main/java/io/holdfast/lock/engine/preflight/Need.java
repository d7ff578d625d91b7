package io.holdfast.lock.engine.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A right without which this client grants no lock, though another client may do without it: an option needs it. What an
 * option needs is listed here and nowhere else.
 *
 * @param right as ACL rules name it
 * @param option as {@code ClientOptions} names it
 * @param consequence what follows without the right
 */
record Need(String right, String option, String consequence) {

    /** What the options that are on need. */
    static List<Need> of(Reliance reliance) {
        List<Need> needs = new ArrayList<>();
        if (reliance.guarded()) {
            needs.add(new Need(
                    "info",
                    "failoverGuard",
                    "No lock is granted, and none renewed: the scripts ask INFO which server they are on"));
        }
        if (reliance.waitsForReplicas()) {
            String option = reliance.onDisk() ? "waitForReplicasOnDisk" : "waitForReplicas";
            String question = reliance.onDisk() ? "waitaof" : "wait";
            String refused = "No lock is granted: each grant waits for replicas, and ";
            needs.add(new Need(question, option, refused + "that is asked by " + question.toUpperCase(Locale.ROOT)));
            needs.add(
                    new Need("info", option, refused + "INFO tells whether they are those of the server that granted"));
        }
        return needs;
    }

    static Optional<Need> of(Reliance reliance, Right right) {
        return of(reliance).stream()
                .filter(need -> need.right().equals(right.name()))
                .findFirst();
    }
}
