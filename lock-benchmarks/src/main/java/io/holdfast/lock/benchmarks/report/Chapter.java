package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.result.About;
import java.util.List;

/**
 * Workloads that are shown together.
 *
 * @param families how the names of their families begin
 */
record Chapter(String id, String title, String text, List<String> families) {

    static List<Chapter> all() {
        return List.of(
                new Chapter(
                        "uncontended",
                        "Nobody in the way",
                        "What a lock costs that is free when it is asked for: the round trips, and what a library adds to"
                                + " them. The bare socket sends the same scripts and does nothing else; it sleeps until an answer is there.",
                        List.of("uncontended", "own-locks", "refused")),
                new Chapter(
                        "contended",
                        "One lock, many threads",
                        "What a hand-over costs, how long the unlucky wait, and whether everybody has a turn.",
                        List.of("same-lock", "processes", "hold")),
                new Chapter(
                        "family",
                        "In turn, and several at once",
                        "Locks that keep the order of arrival, readers beside a writer, and permits. Throughput is not all: a lock"
                                + " that lets others pass is faster, and what it makes the passed ones wait stands beside it.",
                        List.of("fair", "read-write", "permits")),
                new Chapter(
                        "async",
                        "Asynchronous",
                        "Many locks under way at once, without a thread for each.",
                        List.of("async")),
                new Chapter(
                        "rate",
                        "At a rate",
                        "What arrivals on a fixed schedule see. Here, and only here, a stall is counted for everybody who"
                                + " arrives during it.",
                        List.of("at-rate")),
                new Chapter(
                        "scaling",
                        "More threads",
                        "Throughput and latency from one thread to many, on logarithmic scales.",
                        List.of("scaling")),
                new Chapter(
                        "network",
                        "A slower network",
                        "The same with a delay on the way to the server, as in a data centre: round trips count, and the"
                                + " processor hardly does.",
                        List.of("delay")),
                new Chapter(
                        "redlock",
                        "RedLock: several servers",
                        "A lock held by a majority of independent servers.",
                        List.of("redlock")),
                new Chapter(
                        "process",
                        "Starting, and keeping",
                        "What a process pays before its first lock, and for many locks that are renewed.",
                        List.of("start-up", "watched")));
    }

    boolean has(About about) {
        return families.stream().anyMatch(about.family()::startsWith);
    }
}
