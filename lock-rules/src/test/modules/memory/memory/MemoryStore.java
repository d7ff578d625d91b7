package memory;

import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The locks, by their keys. It knows what two of the scripts do, and leases have no end. */
final class MemoryStore {

    private static final long LEASE_LEFT = 30_000;

    private final Map<String, String> fields = new HashMap<>();
    private long tokens;

    /** What a script answers. */
    synchronized List<Long> run(String script, Words words) {
        String lock = words.keys.get(0);
        String field = words.arguments.get(0);
        return switch (script) {
            case "acquire", "turn-acquire" -> acquire(lock, field);
            case "release", "turn-release" -> fields.remove(lock, field) ? List.of(1L, 0L) : List.of(0L, 0L);
            default -> throw new UnsupportedOperationException("script " + script);
        };
    }

    private List<Long> acquire(String lock, String field) {
        if (fields.containsKey(lock)) {
            return List.of(0L, LEASE_LEFT);
        }
        fields.put(lock, field);
        return List.of(1L, ++tokens);
    }

    /** The keys and arguments of a call. */
    static final class Words implements Args {

        private final List<String> keys = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();

        @Override
        public Args key(byte[] key) {
            keys.add(new String(key, StandardCharsets.UTF_8));
            return this;
        }

        @Override
        public Args arg(byte[] value) {
            arguments.add(new String(value, StandardCharsets.UTF_8));
            return this;
        }

        @Override
        public Args arg(long value) {
            arguments.add(Long.toString(value));
            return this;
        }
    }
}
