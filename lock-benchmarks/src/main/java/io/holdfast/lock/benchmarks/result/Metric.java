package io.holdfast.lock.benchmarks.result;

/** What can be said of one round of one peer in one number. */
public enum Metric {
    THROUGHPUT("throughput", "op/s", "op/s", true),
    MEDIAN("latency p50", "p50 us", "us", false),
    P99("latency p99", "p99 us", "us", false),
    P999("latency p99.9", "p99.9 us", "us", false),
    WORST("latency, worst", "worst us", "us", false),
    FAIRNESS("least / most served", "fairness", "", true),
    OVERTAKEN("turns of others while one waited, most", "turns", "", false),
    WRITER_WAIT("longest wait of the writer", "writer ms", "ms", false),
    CLIENT_CPU("client CPU per operation", "CPU us", "us", false),
    SERVER_CPU("server CPU per operation", "server us", "us", false),
    ALLOCATED("allocated per operation", "alloc B", "B", false),
    COMMANDS("commands sent per operation", "sent", "", false),
    CALLS("calls executed by the server per operation", "calls", "", false),
    START("connecting to first lock", "start ms", "ms", false),
    PROCESS_START("start of the process to first lock", "process ms", "ms", false),
    THREADS("threads once connected", "threads", "", false),
    HEAP("heap per hold", "heap B", "B", false),
    RENEWAL_CPU("client CPU per 1,000 renewals", "CPU ms/1k", "ms", false),
    RENEWAL_COMMANDS("commands per 1,000 renewals", "sent/1k", "", false),
    MISSED("holds lost", "lost", "", false),
    STALL("longest single command on the server", "stall ms", "ms", false),
    ROUND_TRIP("round trip of a bare command, median", "ping us", "us", false);

    private final String title;
    private final String heading;
    private final String unit;
    private final boolean moreIsBetter;

    Metric(String title, String heading, String unit, boolean moreIsBetter) {
        this.title = title;
        this.heading = heading;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
    }

    public String title() {
        return title;
    }

    /** The title for a narrow column, with the unit. */
    public String heading() {
        return heading;
    }

    public String unit() {
        return unit;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }
}
