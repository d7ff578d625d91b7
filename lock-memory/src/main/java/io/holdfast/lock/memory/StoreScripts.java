package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Printable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scripts of the engine, by name, each as the Java that does to a {@link Keyspace} what its Lua does to a server. */
final class StoreScripts {

    /**
     * A script.
     *
     * <p>It does the same in the same order as its Lua, since what was written before an error stays.
     */
    @FunctionalInterface
    interface Body {

        /** Answers as {@link MemoryReply} has it. */
        @Nullable
        Object run(Keyspace store, Words words);
    }

    private static final Map<String, Body> BODIES = new HashMap<>();

    static {
        LockScripts.addTo(BODIES);
        TurnScripts.addTo(BODIES);
        QueueScripts.addTo(BODIES);
        PermitScripts.addTo(BODIES);
        ConditionScripts.addTo(BODIES);
        QuorumScripts.addTo(BODIES);
        ValueScripts.addTo(BODIES);
        SearchScripts.addTo(BODIES);
        GuardScripts.addTo(BODIES);
        LatchScripts.addTo(BODIES);
        ElectionScripts.addTo(BODIES);
    }

    private StoreScripts() {}

    static boolean knows(String name) {
        return BODIES.containsKey(name);
    }

    static MemoryReply run(String name, Keyspace store, Words words) {
        Body body = BODIES.get(name);
        if (body == null) {
            throw new Refusal(
                    Fault.Kind.SERVER_ERROR,
                    "a store in memory has no script '" + Printable.of(name)
                            + "' (expected: one of this version of lock-core)");
        }
        return new MemoryReply(body.run(store, words));
    }
}
