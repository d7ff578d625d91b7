package io.holdfast.lock.netty;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.netty.topology.ConnectableBackend;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first connections to the nodes of a quorum: a majority is enough.
 *
 * <p>The others have a moment more, in which all nodes that are up are connected; one that is away costs no more than that.
 */
final class MajorityAwaited {

    private static final Logger log = LoggerFactory.getLogger(MajorityAwaited.class);

    private static final long FOR_THE_OTHERS_MILLIS = 100;

    private final List<ConnectableBackend> nodes;
    private final int majority;
    private final CompletableFuture<Void> decided = new CompletableFuture<>();
    private final List<String> missing = new ArrayList<>();
    private int connected;

    MajorityAwaited(List<ConnectableBackend> nodes) {
        this.nodes = nodes;
        this.majority = nodes.size() / 2 + 1;
    }

    /** Connects to all, and throws if no majority can be had within the connect timeout. */
    void await() {
        CompletableFuture<Void> ends = connectAll();
        try {
            decided.get();
            if (!isMajority()) {
                throw noMajority();
            }
            aMomentFor(ends).get();
        } catch (InterruptedException interrupted) {
            throw NettyLockProvider.interrupted(all(), interrupted);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** As {@link #await}, without blocking. */
    CompletableFuture<Void> start() {
        CompletableFuture<Void> ends = connectAll();
        return decided.thenCompose(
                nothing -> isMajority() ? aMomentFor(ends) : CompletableFuture.failedFuture(noMajority()));
    }

    private CompletableFuture<Void> connectAll() {
        return CompletableFuture.allOf(nodes.stream().map(this::connect).toArray(CompletableFuture<?>[]::new));
    }

    private static CompletableFuture<Void> aMomentFor(CompletableFuture<Void> ends) {
        return ends.completeOnTimeout(null, FOR_THE_OTHERS_MILLIS, TimeUnit.MILLISECONDS);
    }

    private String all() {
        return nodes.stream().map(ConnectableBackend::describe).collect(Collectors.joining(", "));
    }

    private LockUnavailableException noMajority() {
        String all = all();
        return new LockUnavailableException(
                "no majority of " + all + " can be reached: " + whatIsMissing(),
                "",
                "",
                all,
                FailureReason.NO_MAJORITY,
                null);
    }

    private CompletableFuture<?> connect(ConnectableBackend node) {
        return node.connect().toCompletableFuture().handle((nothing, failure) -> {
            if (failure == null) {
                connected();
            } else {
                missing(String.valueOf(
                        NettyLockProvider.failure(failure, node.describe()).getMessage()));
            }
            return failure == null;
        });
    }

    private synchronized void connected() {
        connected++;
        if (isMajority()) {
            decided.complete(null);
        }
    }

    private synchronized void missing(String why) {
        missing.add(why);
        if (missing.size() > nodes.size() - majority) {
            decided.complete(null);
        } else {
            log.warn(
                    "A node of the quorum is missing; it is tried again in the background: {}", Printable.message(why));
        }
    }

    private synchronized boolean isMajority() {
        return connected >= majority;
    }

    private synchronized String whatIsMissing() {
        return Printable.message(String.join("; ", missing));
    }
}
