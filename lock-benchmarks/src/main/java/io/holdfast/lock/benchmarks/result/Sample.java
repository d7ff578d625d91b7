package io.holdfast.lock.benchmarks.result;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** What one peer did in one round. */
public final class Sample {

    private static final double NANOS_PER_MICRO = 1e3;

    private final Map<Metric, Double> values;
    private final Histogram latency;
    private final long[] served;
    private final List<Turn> turns;
    private final long operations;

    private Sample(Builder builder) {
        values = new EnumMap<>(builder.values);
        latency = builder.latency;
        served = builder.served;
        turns = List.copyOf(builder.turns);
        operations = builder.operations;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A sample of numbers only. */
    public static Sample of(Map<Metric, Double> values) {
        Builder builder = builder();
        values.forEach(builder::value);
        return builder.build();
    }

    public OptionalDouble value(Metric metric) {
        Double value = values.get(metric);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Every operation's time in nanoseconds; empty where the round has none. */
    public Histogram latency() {
        return latency;
    }

    /** Operations of each party while the round lasted; empty where the round has no parties. */
    public long[] served() {
        return served.clone();
    }

    /** The first holds of the round, where they were kept. */
    public List<Turn> turns() {
        return turns;
    }

    /** All operations, also those that ended after the round. */
    public long operations() {
        return operations;
    }

    /** This sample, with one value more. */
    public Sample with(Metric metric, double value) {
        Builder builder = new Builder();
        builder.values.putAll(values);
        builder.latency = latency;
        builder.served = served;
        builder.turns = turns;
        builder.operations = operations;
        return builder.value(metric, value).build();
    }

    /** Collects what a round yields. */
    public static final class Builder {

        private final Map<Metric, Double> values = new EnumMap<>(Metric.class);
        private Histogram latency = new Histogram(2);
        private long[] served = {};
        private List<Turn> turns = List.of();
        private long operations;

        private Builder() {}

        public Builder value(Metric metric, double value) {
            if (!Double.isNaN(value)) {
                values.put(metric, value);
            }
            return this;
        }

        /** The times of all operations, and the metrics that follow from them. */
        public Builder latency(Histogram nanos) {
            latency = nanos;
            operations = nanos.getTotalCount();
            if (operations > 0) {
                value(Metric.MEDIAN, nanos.getValueAtPercentile(50) / NANOS_PER_MICRO);
                value(Metric.P99, nanos.getValueAtPercentile(99) / NANOS_PER_MICRO);
                value(Metric.P999, nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
                value(Metric.WORST, nanos.getMaxValue() / NANOS_PER_MICRO);
            }
            return this;
        }

        /** What each party got, and the fairness that follows from it. */
        public Builder served(long[] operationsOfEach) {
            served = operationsOfEach.clone();
            if (served.length > 1) {
                long least = Long.MAX_VALUE;
                long most = 0;
                for (long each : served) {
                    least = Math.min(least, each);
                    most = Math.max(most, each);
                }
                value(Metric.FAIRNESS, most == 0 ? 0 : (double) least / most);
            }
            return this;
        }

        public Builder turns(List<Turn> first) {
            turns = first;
            return this;
        }

        public Sample build() {
            return new Sample(this);
        }
    }
}
