package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReplicaWait;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.Survey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks all servers of a client how they are set up, and judges what they say. */
public final class Preflight {

    private final ClientFacts facts;

    public Preflight(ClientFacts facts) {
        this.facts = facts;
    }

    /** Takes as long as the slowest server may; the result is there on a transport's thread. */
    public void diagnose(Pending<List<Finding>> result) {
        if (facts.isClosed()) {
            result.fail(Failures.closed("", "", facts.node()));
            return;
        }
        Reliance reliance = reliance();
        Survey survey = Rights.survey(reliance);
        List<CompletableFuture<List<ServerReport>>> surveys = facts.stores().stream()
                .map(store -> ask(store.backend(), survey))
                .toList();
        CompletableFuture.allOf(surveys.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<ServerReport> reports = new ArrayList<>();
                    surveys.forEach(one -> reports.addAll(one.join()));
                    return Findings.of(reliance, facts.node(), reports);
                })
                .whenComplete((findings, failure) -> {
                    if (facts.isClosed()) {
                        result.fail(Failures.closed("", "", facts.node()));
                    } else if (failure != null) {
                        result.fail(new IllegalStateException("the servers could not be asked", failure));
                    } else {
                        result.complete(findings);
                    }
                });
    }

    /** A transport of others may throw; then the diagnosis has failed as if its stage had. */
    private static CompletableFuture<List<ServerReport>> ask(Backend backend, Survey survey) {
        try {
            return backend.survey(survey).toCompletableFuture();
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private Reliance reliance() {
        LockOptions options = facts.options().lockOptions();
        Duration lease = options.lease().orElse(options.watchdogLease());
        int replicas =
                facts.options().waitForReplicas().map(ReplicaWait::replicas).orElse(0);
        boolean onDisk =
                facts.options().waitForReplicas().map(ReplicaWait::onDisk).orElse(false);
        boolean guarded = facts.options().failoverGuard().isPresent();
        boolean failsOver = facts.mayFailOver();
        return new Reliance(
                NamesInUse.of(options), lease.toMillis(), facts.isQuorum(), failsOver, replicas, onDisk, guarded);
    }
}
