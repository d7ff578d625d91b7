package io.holdfast.lock.benchmarks.report;

import java.util.List;

/** How it was measured, for the page and for whoever doubts. */
final class Method {

    static final List<String> LINES = List.of(
            "Peers take turns round by round within each workload; every other round goes backwards. A ratio is computed"
                    + " within each round; shown are the median of these ratios and their range.",
            "Closed loops report service time: a thread begins its next operation when the last one is over. That is what a"
                    + " caller sees, but it hides what a stall does to arrivals; the workloads at a rate are open loops, in"
                    + " which times count from when an operation was meant to begin.",
            "Operations under way at the end of a round are finished and counted in the latencies, not in the throughput.",
            "An operation is a lock and its unlock, so a contended operation's time includes the wait for the lock.",
            "Times are kept in HdrHistograms of three digits; nothing is averaged away.",
            "Lettuce, Jedis and the sockets send Holdfast's own scripts and take care of nothing: no waiting, no watchdog, no"
                    + " loss, no unknown outcome. They are no locks: they show what the scripts and the network cost.",
            "Every library runs with its defaults but for longer time-outs, and a Jedis pool for as many threads as there are."
                    + " Redisson's are NIO, 32 I/O threads and 24 idle connections.",
            "Commands are counted by MONITOR in a short round of its own; processor time and allocations during the rounds.",
            "Client, load and server share the machine's processors.");

    private Method() {}
}
