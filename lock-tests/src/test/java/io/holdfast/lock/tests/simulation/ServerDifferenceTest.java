package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;

/**
 * The same random calls of the same scripts at a simulated and at a real server, with the same answers and the same data
 * afterwards, so that the simulated one can't drift from the real.
 */
@Tag("proof")
class ServerDifferenceTest {

    private static final Map<String, Script> SCRIPTS =
            EngineClient.scripts().stream().collect(Collectors.toMap(Script::name, script -> script));

    private static final int CALLS = 250;
    private static final int SEEDS = 3;
    private static final List<String> LOCKS = List.of("holdfast:{a}", "holdfast:{b}");
    private static final List<String> FIELDS = List.of("c1:1:1", "c1:1:2", "c2:h1:1", "c2:h2:7");
    private static final String CLOCK = "holdfast:token:{1}";
    private static final String COUNTER = "redisson_lock_token:{1}";
    private static final String VALUE = "holdfast:fenced:{a}";
    private static final String MARKER = "holdfast:marker";
    private static final String READERS = "holdfast:{a}:readers";
    private static final String QUEUE = "holdfast:{a}:queue";
    private static final String SEEN = "holdfast:{a}:seen";
    private static final String CHANNEL = "holdfast:{a}:free";
    private static final String PERMITS = "holdfast:{a}:permits";
    private static final String LIMIT = "holdfast:{a}:limit";
    private static final String WAITING = "holdfast:{a}:permits:queue";
    private static final String WAITING_SEEN = "holdfast:{a}:permits:seen";
    private static final List<String> SPANS = List.of("c1:h1:1", "c1:h2:2*3", "c1:h2:3", "c2:h1:1*2", "c2:h2:3*4");
    private static final String TURNS = "holdfast:{a}:turns";
    private static final List<String> SORTED = List.of(READERS, QUEUE, SEEN, PERMITS, WAITING, WAITING_SEEN, TURNS);

    /** Between the two readings of the time of day, the real server goes on. */
    private static final long TOLERANCE_MILLIS = 2_000;
    /** Longer than any tolerance, so that nothing expires by accident. */
    private static final long LEAST_LEASE_MILLIS = 60_000;

    /** Leases, claim windows and presence of locks with a queue; no sum of {@link #STEP_MILLIS} is near any of them. */
    private static final List<String> TIMES = List.of("60000", "90000", "3600000");

    private static final long STEP_MILLIS = 35_000;

    private static RedisServer redis;
    private static RawRedis raw;

    private World world;
    private Clock clock;
    private Keyspace keys;
    private Chance chance;
    private String keepsToken;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        raw = redis.connect();
    }

    @AfterAll
    static void stop() {
        raw.close();
        redis.close();
    }

    @Test
    void itAnswersAsARealOneForLocksWithAQueue() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            begin(seed);
            for (int i = 0; i < CALLS; i++) {
                stepQueued("seed " + seed + ", call " + i);
            }
        }
    }

    @Test
    void itAnswersAsARealOneForSemaphores() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            begin(seed);
            for (int i = 0; i < CALLS; i++) {
                stepOfPermits("seed " + seed + ", call " + i);
            }
        }
    }

    @Test
    void itAnswersAsARealOneForLocksWhoseClientsTakeTurns() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            begin(seed);
            for (int i = 0; i < CALLS; i++) {
                stepOfTurns("seed " + seed + ", call " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0"})
    void aSimulatedServerAnswersAsARealOne(String tokensInHashes) {
        keepsToken = tokensInHashes;
        for (long seed = 1; seed <= SEEDS; seed++) {
            begin(seed);
            for (int i = 0; i < CALLS; i++) {
                step("seed " + seed + ", call " + i);
            }
        }
    }

    private void begin(long seed) {
        raw.command("FLUSHALL");
        raw.command("CONFIG", "SET", "maxmemory", "0");
        chance = new Chance(seed, 1);
        world = new World(seed, null);
        clock = new Clock(world, 0, 0);
        keys = new Keyspace(clock, 0, new Keyspace.Listener() {
            @Override
            public void added(LuaString key, LuaString field, boolean handedOver) {}

            @Override
            public void removed(LuaString key, LuaString field, Keyspace.Cause cause) {}
        });
    }

    /** One lock with a queue: owners come, claim, read and write, and go; time passes, and memory is full for a while. */
    private void stepQueued(String where) {
        adjustClock();
        String lock = LOCKS.get(0);
        List<String> five = List.of(lock, CLOCK, READERS, QUEUE, SEEN);
        String mode = chance.onceIn(2) ? "w" : "r";
        String field = FIELDS.get(chance.below(4));
        String lease = TIMES.get(chance.below(3));
        String window = TIMES.get(chance.below(3));
        String presence = TIMES.get(chance.below(3));
        int lot = chance.below(23);
        if (lot == 22) {
            String client = chance.onceIn(2) ? "c1:" : "c2:";
            same(where, "sweep", List.of(QUEUE), client, chance.onceIn(2) ? "2" : "8");
        } else if (lot >= 20) {
            overNodes(where, five, field, lease);
        } else if (lot < 10) {
            String beside = chance.onceIn(4) ? FIELDS.get(chance.below(4)) : "";
            String waits = chance.onceIn(5) ? "0" : "1";
            same(where, "queue-join", five, mode, field, lease, beside, waits, window, presence, CHANNEL);
        } else if (lot < 14) {
            same(where, "queue-part", five, mode, field, window, CHANNEL);
        } else if (lot < 15) {
            same(where, "queue-force", five, mode, window, CHANNEL);
        } else if (lot < 17) {
            same(where, "keep", List.of(lock, READERS), field, lease);
        } else if (lot < 18) {
            same(where, "acquire", List.of(lock, CLOCK), field, lease, "1");
        } else if (lot < 19) {
            timePasses(READERS, SEEN);
        } else {
            chance(lock);
        }
    }

    /** One lock: owners of two clients take it, hand it over and free it; reservations last, and end. */
    private void stepOfTurns(String where) {
        adjustClock();
        String lock = LOCKS.get(0);
        String field = FIELDS.get(chance.below(4));
        String lease = TIMES.get(chance.below(3));
        switch (chance.below(17)) {
            case 0, 1, 2, 3, 4, 5 -> {
                String waits = List.of("0", "1", "1", "*", "****").get(chance.below(5));
                List<String> four = List.of(lock, CLOCK, TURNS, QUEUE);
                if (chance.onceIn(3)) {
                    same(where, "turn-acquire", four, field, lease, "1", waits, CHANNEL, "100");
                } else {
                    same(where, "turn-acquire", four.subList(0, 3), field, lease, "1", waits, CHANNEL);
                }
            }
            case 6, 7, 8 -> {
                String again = List.of("0", "1", "2", "***", "2***").get(chance.below(5));
                same(where, "turn-release", List.of(lock, TURNS, QUEUE), field, "0", CHANNEL, again);
                reservationEnds(9_000);
            }
            case 9, 10 -> proposeInTurn(where, lock, field, lease);
            case 11, 12 -> {
                String to = FIELDS.get(chance.below(4));
                String tokens = List.of("1", "100", "2000000").get(chance.below(3));
                if (!to.equals(field)) {
                    same(where, "turn-transfer", List.of(lock, CLOCK, TURNS, QUEUE), field, to, lease, "1", tokens);
                }
            }
            case 13 -> same(where, "acquire", List.of(lock, CLOCK), field, lease, "1");
            case 14 -> reservationEnds(-1_000);
            case 15 -> same(where, "turn-give-up", List.of(lock, TURNS, QUEUE), field, CHANNEL);
            default -> chance(lock);
        }
    }

    /** As at one of several nodes. */
    private void proposeInTurn(String where, String lock, String field, String lease) {
        String token = Long.toString(keys.micros() + chance.between(-1_000_000, 2_000_000));
        String since = List.of("-1", "0", "1000", Long.toString(keys.micros())).get(chance.below(4));
        String prompt = chance.onceIn(4) ? "****" : "1";
        same(where, "turn-propose", List.of(lock, CLOCK, TURNS), field, lease, "1", token, "600000000", since, prompt);
    }

    /** If there is one: in so many ms, by both clocks. */
    private void reservationEnds(long inMillis) {
        LuaString turns = LuaString.valueOf(TURNS);
        LuaString reserved = LuaString.valueOf("reserved");
        if (keys.zscore(turns, reserved) != null) {
            keys.begin(Keyspace.Cause.EXPIRED);
            keys.full(false);
            raw.command("CONFIG", "SET", "maxmemory", "0");
            long until = keys.micros() / 1_000 + inMillis;
            raw.command("ZADD", TURNS, "XX", Long.toString(-until), "reserved");
            keys.zadd(turns, Keyspace.Addition.XX, -until, reserved);
        }
    }

    /** As readers and writers over several nodes, of which this is one. */
    private void overNodes(String where, List<String> five, String field, String lease) {
        String beside = chance.onceIn(3) ? FIELDS.get(chance.below(4)) : "";
        String token = Long.toString(keys.micros() + chance.between(-1_000_000, 2_000_000));
        switch (chance.below(4)) {
            case 0 -> same(where, "read-propose", five, field, lease, beside, token, "600000000");
            case 1 -> same(where, "read-adopt", five.subList(0, 3), field, token);
            case 2 -> same(where, "read-join", five, field, lease, token);
            default -> same(where, "propose", five.subList(0, 2), field, lease, "1", token, "600000000");
        }
    }

    /** One semaphore: owners take several permits, claim them and give some back, and its limit changes. */
    private void stepOfPermits(String where) {
        adjustClock();
        List<String> five = List.of(PERMITS, CLOCK, LIMIT, WAITING, WAITING_SEEN);
        String span = SPANS.get(chance.below(SPANS.size()));
        String lease = TIMES.get(chance.below(3));
        String window = TIMES.get(chance.below(3));
        String presence = TIMES.get(chance.below(3));
        int lot = chance.below(20);
        if (lot < 9) {
            String waits = chance.onceIn(5) ? "0" : "1";
            same(where, "permit-join", five, span, lease, waits, window, presence, CHANNEL);
        } else if (lot < 13) {
            same(where, "permit-part", five, span, window, CHANNEL);
        } else if (lot < 15) {
            same(where, "permit-keep", List.of(PERMITS), span, lease);
        } else if (lot < 17) {
            String set = "hash".equals(raw.text("TYPE", LIMIT)) ? raw.text("HGET", LIMIT, "version") : null;
            String version = set == null || chance.onceIn(3) ? Integer.toString(chance.below(4)) : set;
            String limit = Integer.toString(1 + chance.below(6));
            same(where, "permit-limit", five, version, limit, "change" + chance.below(20), window, CHANNEL);
        } else if (lot < 18) {
            same(where, "permit-look", List.of(PERMITS, LIMIT));
        } else if (lot < 19) {
            timePasses(PERMITS, WAITING_SEEN);
        } else {
            chance(PERMITS);
        }
    }

    /** All deadlines of readers, permits and clients come so much nearer; the real server's clock can't be stepped. */
    private void timePasses(String... sorted) {
        keys.begin(Keyspace.Cause.EXPIRED);
        keys.full(false);
        raw.command("CONFIG", "SET", "maxmemory", "0");
        for (String key : sorted) {
            for (LuaString member : keys.members(LuaString.valueOf(key), 0, -1)) {
                raw.command("ZINCRBY", key, Long.toString(-STEP_MILLIS), member.tojstring());
                double before = Objects.requireNonNull(keys.zscore(LuaString.valueOf(key), member));
                keys.zadd(LuaString.valueOf(key), Keyspace.Addition.XX, before - STEP_MILLIS, member);
            }
        }
    }

    private void step(String where) {
        adjustClock();
        String lock = LOCKS.get(chance.below(2));
        String field = FIELDS.get(chance.below(4));
        String lease = Long.toString(LEAST_LEASE_MILLIS + chance.below(60_000));
        String count = Integer.toString(chance.below(4));
        String token = Long.toString(keys.micros() + chance.between(-1_000_000, 2_000_000));
        switch (chance.below(20)) {
            case 0, 1, 2 -> same(where, "acquire", List.of(lock, CLOCK), field, lease, keepsToken);
            case 3 -> same(where, "reenter", List.of(lock), field, count.equals("0") ? "2" : count, lease);
            case 4, 5 -> same(where, "release", List.of(lock), field, count, CHANNEL);
            case 6, 7 -> {
                String to = FIELDS.get(chance.below(4));
                if (!to.equals(field)) {
                    same(where, "transfer", List.of(lock, CLOCK), field, to, lease, keepsToken);
                }
            }
            case 8 -> same(where, "renew", LOCKS, field, lease, FIELDS.get(chance.below(4)), "1");
            case 9 -> same(where, "propose", List.of(lock, CLOCK), field, lease, keepsToken, token, "600000000");
            case 10 -> same(where, "adopt", List.of(lock, CLOCK), field, token, keepsToken);
            case 11 -> same(where, "force", List.of(lock), CHANNEL);
            case 12 -> same(where, "inspect", List.of(lock), CHANNEL);
            case 13 -> same(where, "fenced-set", List.of(VALUE), token, "value" + count);
            case 14 ->
                same(
                        where,
                        "fenced-get",
                        List.of(VALUE),
                        count.equals("0") ? token : "0",
                        chance.onceIn(2) ? "5" : "6");
            case 15 -> {
                if (chance.onceIn(2)) {
                    same(where, "mark", List.of(MARKER), "run" + count);
                } else {
                    same(where, "marked", List.of(MARKER));
                }
            }
            case 16, 17 -> {
                String level = count.equals("0") ? "1" : count;
                same(where, "join", List.of(lock, CLOCK), field, level, lease, keepsToken, token);
            }
            case 18 -> beside(where, lock, field, lease);
            default -> chance(lock);
        }
    }

    /** As locks that Redisson's clients want too, which have a counter beside their token clock. */
    private void beside(String where, String lock, String field, String lease) {
        List<String> three = List.of(lock, CLOCK, COUNTER);
        String begin = chance.onceIn(3) ? "1" : "0";
        String to = FIELDS.get(chance.below(4));
        if (chance.onceIn(2) || to.equals(field)) {
            same(where, "acquire", three, field, lease, keepsToken, begin);
        } else {
            same(where, "transfer", three, field, to, lease, keepsToken, begin);
        }
    }

    /** A lock expires, or memory is full for a while. */
    private void chance(String lock) {
        if (chance.onceIn(2)) {
            raw.command("PEXPIRE", lock, "1");
            await().until(() -> raw.integer("EXISTS", lock) == 0);
            keys.begin(Keyspace.Cause.EXPIRED);
            keys.pexpire(LuaString.valueOf(lock), 1);
            clock.step(2_000_000);
            assertThat(keys.exists(LuaString.valueOf(lock))).isFalse();
        } else {
            boolean full = chance.onceIn(2);
            raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            raw.command("CONFIG", "SET", "maxmemory", full ? "1" : "0");
            keys.full(full);
        }
    }

    /** The simulated server's time of day is the real one's. */
    private void adjustClock() {
        List<String> time = raw.list("TIME");
        long micros = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
        clock.step((micros - keys.micros()) * 1_000);
    }

    private void same(String where, String name, List<String> scriptKeys, String... arguments) {
        String call = where + ": " + name + " " + scriptKeys + " " + List.of(arguments);
        Script script = script(name);
        assertNear(call, simulated(script, scriptKeys, arguments), real(script, scriptKeys, arguments));
        assertNear("data after " + call, simulatedData(), realData());
    }

    // --- both servers ---

    private List<String> simulated(Script script, List<String> scriptKeys, String... arguments) {
        keys.begin(Keyspace.Cause.RELEASED);
        try {
            return texts(new ScriptReply(LuaScripts.ofThread()
                    .run(script, table(scriptKeys), table(List.of(arguments)), new LuaScripts.Host() {
                        @Override
                        public String replicationId() {
                            throw new IllegalStateException("no guarded script is called");
                        }

                        @Override
                        public Keyspace keys() {
                            return keys;
                        }

                        @Override
                        public int publish(LuaString channel, LuaString message) {
                            return 0;
                        }

                        @Override
                        public int listeners(LuaString channel) {
                            return 0;
                        }
                    })));
        } catch (RefusedError refused) {
            return List.of(refused.kind.name());
        }
    }

    private static List<String> real(Script script, List<String> scriptKeys, String... arguments) {
        List<String> command = new ArrayList<>(List.of("EVAL", script.source(), Integer.toString(scriptKeys.size())));
        command.addAll(scriptKeys);
        command.addAll(List.of(arguments));
        try {
            Object reply = raw.command(command.toArray(String[]::new));
            return reply instanceof List<?> several
                    ? several.stream().map(String::valueOf).toList()
                    : List.of(String.valueOf(reply));
        } catch (RedisErrorReply refused) {
            String words = String.valueOf(refused.getMessage());
            return List.of(words.contains("OOM") ? Fault.Kind.OOM.name() : words);
        }
    }

    private static List<String> texts(Reply reply) {
        if (reply.size() == 0) {
            return List.of(String.valueOf(reply.text()));
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < reply.size(); i++) {
            texts.add(String.valueOf(reply.text(i)));
        }
        return texts;
    }

    private static LuaTable table(List<String> texts) {
        LuaTable table = new LuaTable();
        for (String text : texts) {
            table.set(table.length() + 1, LuaString.valueOf(text));
        }
        return table;
    }

    private static Script script(String name) {
        return Objects.requireNonNull(SCRIPTS.get(name), name);
    }

    // --- what is compared ---

    /** Times of day and times to live are as good as equal if they are near; everything else must be the same. */
    private static void assertNear(String what, List<String> simulated, List<String> real) {
        boolean near = simulated.size() == real.size();
        for (int i = 0; near && i < real.size(); i++) {
            near = isNear(simulated.get(i), real.get(i));
        }
        if (!near) {
            assertThat(simulated).as(what).isEqualTo(real);
        }
    }

    private static boolean isNear(String simulated, String real) {
        if (!simulated.matches("-?\\d{4,18}") || !real.matches("-?\\d{4,18}")) {
            return simulated.equals(real);
        }
        long number = Long.parseLong(real);
        boolean isTime = Math.abs(number) > TimeUnit.DAYS.toMicros(365);
        long tolerance = isTime ? TimeUnit.MILLISECONDS.toMicros(TOLERANCE_MILLIS) : TOLERANCE_MILLIS;
        return Math.abs(number - Long.parseLong(simulated)) <= tolerance;
    }

    private List<String> simulatedData() {
        List<String> data = new ArrayList<>();
        for (String lock : LOCKS) {
            data.add(Long.toString(keys.pttl(LuaString.valueOf(lock))));
            addSorted(data, texts(keys.hgetall(LuaString.valueOf(lock))));
        }
        for (String key : SORTED) {
            data.add(Long.toString(keys.pttl(LuaString.valueOf(key))));
            List<String> ranked = new ArrayList<>();
            for (LuaString member : keys.members(LuaString.valueOf(key), 0, -1)) {
                double score = Objects.requireNonNull(keys.zscore(LuaString.valueOf(key), member));
                ranked.addAll(List.of(member.tojstring(), Long.toString((long) score)));
            }
            addSorted(data, ranked);
        }
        addSorted(data, texts(keys.hgetall(LuaString.valueOf(LIMIT))));
        addSorted(data, texts(keys.hgetall(LuaString.valueOf(VALUE))));
        data.add(String.valueOf(keys.get(LuaString.valueOf(CLOCK))));
        data.add(String.valueOf(keys.get(LuaString.valueOf(COUNTER))));
        data.add(String.valueOf(keys.get(LuaString.valueOf(MARKER))));
        return data;
    }

    private static List<String> realData() {
        List<String> data = new ArrayList<>();
        for (String lock : LOCKS) {
            data.add(Long.toString(raw.integer("PTTL", lock)));
            addSorted(data, raw.list("HGETALL", lock));
        }
        for (String key : SORTED) {
            data.add(Long.toString(raw.integer("PTTL", key)));
            addSorted(data, raw.list("ZRANGE", key, "0", "-1", "WITHSCORES"));
        }
        addSorted(data, raw.list("HGETALL", LIMIT));
        addSorted(data, raw.list("HGETALL", VALUE));
        data.add(String.valueOf(raw.text("GET", CLOCK)));
        data.add(String.valueOf(raw.text("GET", COUNTER)));
        data.add(String.valueOf(raw.text("GET", MARKER)));
        return data;
    }

    private static List<String> texts(List<LuaString> strings) {
        return strings.stream().map(LuaString::tojstring).toList();
    }

    private static void addSorted(List<String> data, List<String> fieldsAndValues) {
        TreeMap<String, String> pairs = new TreeMap<>();
        for (int i = 0; i + 1 < fieldsAndValues.size(); i += 2) {
            pairs.put(fieldsAndValues.get(i), fieldsAndValues.get(i + 1));
        }
        pairs.forEach((field, value) -> {
            data.add(field);
            data.add(value);
        });
    }
}
