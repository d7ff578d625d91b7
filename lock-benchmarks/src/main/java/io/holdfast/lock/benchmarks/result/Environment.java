package io.holdfast.lock.benchmarks.result;

import java.util.LinkedHashMap;
import java.util.Map;

/** Where and with what it was measured, as names and values in the order in which they are shown. */
public record Environment(Map<String, String> facts) {

    public Environment {
        facts = new LinkedHashMap<>(facts);
    }
}
