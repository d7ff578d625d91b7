package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.memory.script.LuaScripts;
import io.holdfast.lock.memory.script.ScriptArgs;
import io.holdfast.lock.memory.script.ScriptHost;
import io.holdfast.lock.memory.script.ScriptRefusal;
import io.holdfast.lock.memory.script.ScriptReply;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;

/**
 * The same random calls of the same scripts by LuaJ over a {@link Keyspace} and at a real server, over data that may have been spoilt
 * by hand, and with memory that may be full: the same answers, the same errors, and the same data afterwards. So neither the
 * interpreter nor the data of locks in memory and of simulated servers can drift from a real one.
 */
class ServerDifferenceTest {

    private static final List<String> LOCKS = List.of("holdfast:{a}", "holdfast:{b}");
    private static final List<String> FIELDS = List.of("c1:1:1", "c1:1:2", "c2:h1:1", "c2:h2:7");
    private static final String CLOCK = "holdfast:token:{1}";
    private static final String COUNTER = "redisson_lock_token:{1}";
    private static final String VALUE = "holdfast:fenced:{a}";
    private static final String MARKER = "holdfast:marker";
    private static final String TERM = "holdfast:term";
    /** Each is that of one lock at most: pages have no order. */
    private static final List<String> PATTERNS = List.of(
            "holdfast:{a}",
            "holdfast:{a*}",
            "*{b}",
            "*:{[b-c]}",
            "holdfast:{[^b]}",
            "h?ldfast:{\\a}",
            "holdfast:{[d-b]}",
            "*:{[]}",
            "x*");

    private static final List<String> RECORDS =
            List.of("holdfast:client:{c1}", "holdfast:client:{c2}", LOCKS.get(0), CLOCK);
    private static final String CHANNEL = "holdfast:{a}:free";
    private static final String LATCH = "holdfast:{a}:latch";
    private static final String COUNTED = "holdfast:{a}:latch:counted";
    /** Stands for the generation that a store has. */
    private static final String GENERATION = "generation";

    private static final String SIGNAL = "holdfast:{a}:signal";
    private static final String LEADER = "holdfast:{a}:leader";
    /** What keys of locks with a queue end with. */
    private static final List<String> OF_QUEUE = List.of(":readers", ":queue", ":seen");

    private static final String PERMITS = "holdfast:{a}:permits";
    private static final String LIMIT = "holdfast:{a}:limit";
    private static final List<String> OF_PERMITS =
            List.of(PERMITS, CLOCK, LIMIT, "holdfast:{a}:permits:queue", "holdfast:{a}:permits:seen");
    /** Spans, of which some are part of others. */
    private static final List<String> SPANS =
            List.of("c1:h1:1", "c1:h1:1*3", "c1:h1:3", "c1:h2:4*2", "c1:h2:5", "c2:h1:1*2", "c2:h3:9*4", "c2:7:1");
    /** Leases, claim windows and presence; no sum of {@link #STEP_MILLIS} is near any of them. */
    private static final List<String> TIMES = List.of("60000", "90000", "3600000");

    private static final long STEP_MILLIS = 35_000;
    /** What tokens look like that were written by hand. */
    private static final List<String> BY_HAND = List.of(
            "7", " 12 ", "1e3", "0x1F", "1.5", "-3", "abc", "", "12x", "9007199254740991", "1e", "1700000000000001");

    private static final Script ANY_COMMAND = new Script("any command", "return redis.call(unpack(ARGV))");

    private static final Map<String, Script> SCRIPTS =
            Clients.scripts().stream().collect(Collectors.toMap(Script::name, script -> script));

    /** Between the two readings of the time of day. */
    private static final long TOLERANCE_MILLIS = 2_000;
    /** Longer than any tolerance, so that nothing expires by accident. */
    private static final long LEAST_LEASE_MILLIS = 60_000;

    private static RedisServer redis;
    private static RawRedis raw;
    private static String replicationId;

    /** What a play is about. */
    enum Subject {
        PLAIN(ServerDifferenceTest::step),
        QUEUED(ServerDifferenceTest::stepQueued),
        PERMITS(ServerDifferenceTest::stepOfPermits),
        TURNS(ServerDifferenceTest::stepOfTurns);

        private final BiConsumer<ServerDifferenceTest, String> step;

        Subject(BiConsumer<ServerDifferenceTest, String> step) {
            this.step = step;
        }
    }

    private final Set<String> called = new HashSet<>();
    private Random random;
    private Clock clock;
    private Keyspace data;
    private LuaScripts interpreter;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        raw = redis.connect();
        replicationId = raw.text("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith("master_replid:"))
                .findFirst()
                .orElseThrow()
                .substring("master_replid:".length())
                .strip();
    }

    @AfterAll
    static void stop() {
        raw.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void aFewCallsAreAnsweredAsByAServer(Subject subject) {
        play(subject, 1, 400);
    }

    @Test
    @Tag("proof")
    void allScriptsAreAnsweredAsByAServer() {
        for (Subject subject : Subject.values()) {
            for (long seed = 2; seed < 40; seed++) {
                play(subject, seed, 500);
            }
        }
        assertThat(called).isEqualTo(SCRIPTS.keySet());
    }

    @Test
    void oneStepGivesAsManyPermitsAsTheOther() {
        begin(1);
        List<String> spans = List.of("c1:h1:1*600", "c2:h1:1*400", "c1:h2:1*1000", "c3:h1:1*7");
        joinAll(spans);
        same("limit", "permit-limit", OF_PERMITS, "0", "2100", "change", "30000", CHANNEL);
        joinAll(spans);
        same("part", "permit-part", OF_PERMITS, spans.get(2), "30000", CHANNEL);
    }

    private void joinAll(List<String> spans) {
        spans.forEach(span -> same("join", "permit-join", OF_PERMITS, span, "90000", "1", "30000", "150000", CHANNEL));
    }

    private void play(Subject subject, long seed, int calls) {
        begin(seed);
        for (int i = 0; i < calls; i++) {
            if (random.nextInt(40) == 0) {
                full(random.nextInt(3) > 0);
            }
            subject.step.accept(this, "seed " + seed + ", " + subject + ", call " + i);
        }
    }

    private void begin(long seed) {
        raw.command("FLUSHALL");
        random = new Random(seed);
        World world = new World(seed, null);
        clock = new Clock(world, 0, 0);
        data = new Keyspace(clock, 0, Unconcerned.WITNESS);
        interpreter = new LuaScripts(new AloneHost(data));
        full(false);
        adjustClock();
    }

    /** Nobody listens to it. */
    private record AloneHost(Keyspace keys) implements ScriptHost {

        @Override
        public long publish(LuaString channel, LuaString message) {
            return 0;
        }

        @Override
        public long listeners(LuaString channel) {
            return 0;
        }

        @Override
        public String replicationId() {
            return replicationId;
        }
    }

    /** The simulated time of day is the real one. */
    private void adjustClock() {
        List<String> time = raw.list("TIME");
        long micros = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
        clock.step((micros - data.micros()) * 1_000);
    }

    /** Whether either server refuses what may need memory. */
    private void full(boolean isFull) {
        raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        raw.command("CONFIG", "SET", "maxmemory", isFull ? "1" : "0");
        data.full(isFull);
    }

    /** One lock with a queue: clients come, claim, go, read and write; plain clients are among them. */
    private void stepQueued(String where) {
        String lock = LOCKS.get(0);
        List<String> five = queueKeys(lock);
        String mode = random.nextBoolean() ? "w" : "r";
        String field = one(FIELDS);
        String lease = one(TIMES);
        String window = one(TIMES);
        String presence = one(TIMES);
        switch (random.nextInt(43)) {
            case 41 ->
                same(where, "sweep", List.of(five.get(3)), one(List.of("c1:", "c2:")), one(List.of("1", "2", "8")));
            case 38 -> same(where, "leave", List.of(five.get(2)), CHANNEL, field, one(FIELDS));
            case 39 -> same(where, "leave", List.of(five.get(3)), "", mode + field);
            case 40 -> {
                sameInAnyOrder(where, "members", List.of(five.get(2)), "1");
                same(where, "members", List.of(five.get(3)), "0");
            }
            case 25, 26 -> overNodes(where, five, field, lease);
            case 28, 29, 30, 31, 32, 33, 34, 35, 36, 37 -> stepOfCondition(where, conditionKeys(five), field, lease);
            case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 -> {
                String beside = random.nextInt(4) == 0 ? one(FIELDS) : "";
                String waits = random.nextInt(5) == 0 ? "0" : "1";
                same(where, "queue-join", five, mode, field, lease, beside, waits, window, presence, CHANNEL);
            }
            case 10, 11, 12, 13 -> same(where, "queue-part", five, mode, field, window, CHANNEL);
            case 14 -> same(where, "queue-force", five, mode, window, CHANNEL);
            case 15, 16 -> {
                List<String> both = List.of(lock, five.get(2), LOCKS.get(1), LOCKS.get(1) + OF_QUEUE.get(0));
                same(where, "keep", both, field, lease, one(FIELDS), lease);
            }
            case 17 -> same(where, "acquire", five.subList(0, 2), field, lease, "1");
            case 18 -> same(where, "release", List.of(lock), field, "0", CHANNEL);
            case 19 -> same(where, "force", List.of(lock), CHANNEL);
            case 20 -> same(where, "renew", LOCKS, field, lease, one(FIELDS), lease);
            case 21 -> same(where, "inspect", List.of(lock), CHANNEL);
            case 22 -> {
                List<String> six = new ArrayList<>(five);
                six.add(0, TERM);
                same(
                        where,
                        "guarded-queue-join",
                        six,
                        mode,
                        field,
                        lease,
                        "",
                        "1",
                        window,
                        presence,
                        CHANNEL,
                        "0",
                        "0",
                        "1");
            }
            case 23 -> {
                same(where, "term", List.of(TERM), "0");
                same(where, "guarded-keep", List.of(TERM, lock, five.get(2)), field, lease, "0", "0", "1");
            }
            case 24 -> {
                if (random.nextInt(4) == 0) {
                    String key = one(Stream.concat(Stream.of(lock), conditionKeys(five).subList(2, 7).stream())
                            .toList());
                    both("SET", key, "no lock");
                } else {
                    String key = one(conditionKeys(five));
                    both("DEL", key);
                }
            }
            default -> timePasses(five.get(2), five.get(4), conditionKeys(five).get(6));
        }
    }

    /** One semaphore: clients come, claim, go and give back a part; its limit is raised and lowered, and permits run out. */
    private void stepOfPermits(String where) {
        String span = one(SPANS);
        String lease = one(TIMES);
        String window = one(TIMES);
        String presence = one(TIMES);
        String waits = random.nextInt(5) == 0 ? "0" : "1";
        List<String> guarded = new ArrayList<>(OF_PERMITS);
        guarded.add(0, TERM);
        switch (random.nextInt(28)) {
            case 27 -> same(where, "sweep", List.of(OF_PERMITS.get(3)), "c1:", one(List.of("2", "5")));
            case 25 -> same(where, "leave", List.of(PERMITS), CHANNEL, "c1:h1:1", "c1:h1:2", "c1:h2:4");
            case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 ->
                same(where, "permit-join", OF_PERMITS, span, lease, waits, window, presence, CHANNEL);
            case 10, 11, 12, 13 -> same(where, "permit-part", OF_PERMITS, span, window, CHANNEL);
            case 14, 15 -> same(where, "permit-keep", List.of(PERMITS, LOCKS.get(1)), span, lease, span, lease);
            case 16, 17 -> {
                // Ids are few, so that some changes are repeated.
                boolean isThere = isHash(LIMIT) && random.nextInt(4) > 0;
                String set = isThere ? raw.text("HGET", LIMIT, "version") : null;
                String version = set == null ? "0" : set;
                String most = Integer.toString(random.nextInt(7));
                String id = "change" + random.nextInt(12);
                same(where, "permit-limit", OF_PERMITS, version, most, id, window, CHANNEL);
            }
            case 18, 19 -> same(where, "permit-look", List.of(PERMITS, LIMIT));
            case 20 ->
                same(
                        where,
                        "guarded-permit-join",
                        guarded,
                        span,
                        lease,
                        waits,
                        window,
                        presence,
                        CHANNEL,
                        "0",
                        "0",
                        "1");
            case 21 -> {
                same(where, "term", List.of(TERM), "0");
                same(where, "guarded-permit-keep", List.of(TERM, PERMITS), span, lease, "0", "0", "1");
            }
            case 22 -> {
                String key = one(OF_PERMITS);
                if (random.nextInt(4) == 0) {
                    both("SET", key, "no permits");
                } else {
                    both("DEL", key);
                }
            }
            case 23 -> {
                String of = one(List.of("limit", "version", "by", "other"));
                if (isHash(LIMIT)) {
                    both("HDEL", LIMIT, of);
                }
            }
            default -> timePasses(PERMITS, OF_PERMITS.get(4));
        }
    }

    /** One of several nodes that keep the lock together: readers come and go, and writers among them. */
    private void overNodes(String where, List<String> five, String field, String lease) {
        List<String> two = five.subList(0, 2);
        String beside = random.nextInt(3) == 0 ? one(FIELDS) : "";
        long now = data.micros();
        String token = Long.toString(
                now + TimeUnit.SECONDS.toMicros(List.of(-9, -4, 5, 10, 900).get(random.nextInt(5))));
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> same(where, "read-propose", five, field, lease, beside, token, "600000000");
            case 3 -> same(where, "read-adopt", five.subList(0, 3), field, token);
            case 4, 5 -> same(where, "read-join", five, field, lease, token);
            case 6, 7 -> same(where, "propose", two, field, lease, "1", token, "600000000");
            default -> same(where, "join", two, field, "1", lease, "1", token);
        }
    }

    /** A condition of that lock: clients give it up, await, signal, leave and go. */
    private void stepOfCondition(String where, List<String> seven, String field, String lease) {
        String window = one(TIMES);
        String presence = one(TIMES);
        String count = Integer.toString(1 + random.nextInt(2));
        String leaves = random.nextInt(3) == 0 ? "1" : "0";
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3, 4, 5 ->
                same(where, "cond-await", seven, field, lease, one(FIELDS), count, leaves, window, presence, CHANNEL);
            case 6, 7 -> {
                String all = random.nextBoolean() ? "1" : "0";
                same(where, "cond-signal", seven, one(FIELDS), "c1:9:" + random.nextInt(9), all, presence);
            }
            case 8 -> same(where, "cond-part", seven, field, window, CHANNEL);
            default -> {
                List<String> eight = new ArrayList<>(seven);
                eight.add(0, TERM);
                String given = one(FIELDS);
                same(
                        where,
                        "guarded-cond-await",
                        eight,
                        field,
                        lease,
                        given,
                        count,
                        leaves,
                        window,
                        presence,
                        CHANNEL,
                        "0",
                        "0",
                        "1");
            }
        }
    }

    private static List<String> conditionKeys(List<String> five) {
        List<String> keys = new ArrayList<>(five);
        keys.add(five.get(0) + ":cond:full");
        keys.add(five.get(0) + ":cond-seen:full");
        return keys;
    }

    private static List<String> queueKeys(String lock) {
        List<String> keys = new ArrayList<>(List.of(lock, CLOCK));
        OF_QUEUE.forEach(end -> keys.add(lock + end));
        return keys;
    }

    /**
     * All deadlines of readers, permits and clients come so much nearer, in both stores; the server's clock can't be stepped. A few of
     * them are over then.
     */
    private void timePasses(String... keys) {
        Stream.of(keys).filter(ServerDifferenceTest::isSorted).forEach(key -> {
            for (String member : raw.list("ZRANGE", key, "0", "-1")) {
                addScore(key, -STEP_MILLIS, member);
            }
        });
    }

    private void addScore(String key, long more, String member) {
        long score = Long.parseLong(raw.text("ZSCORE", key, member));
        both("ZADD", key, Long.toString(score + more), member);
    }

    private static boolean isHash(String key) {
        return "hash".equals(raw.text("TYPE", key));
    }

    private static boolean isSorted(String key) {
        return "zset".equals(raw.text("TYPE", key));
    }

    /** One lock: owners of two clients take it, hand it over and free it; reservations last, and end. */
    private void stepOfTurns(String where) {
        String lock = LOCKS.get(0);
        String turns = lock + ":turns";
        String queue = lock + OF_QUEUE.get(1);
        String field = one(FIELDS);
        String lease = one(TIMES);
        switch (random.nextInt(21)) {
            case 0, 1, 2, 3, 4, 5 -> {
                String waits = one(List.of("0", "1", "1", "*", "****"));
                List<String> four = List.of(lock, CLOCK, turns, queue);
                if (random.nextInt(3) == 0) {
                    same(where, "turn-acquire", four, field, lease, "1", waits, CHANNEL, "100");
                } else {
                    same(where, "turn-acquire", four.subList(0, 3), field, lease, "1", waits, CHANNEL);
                }
            }
            case 6, 7, 8 -> {
                String again = one(List.of("0", "1", "2", "***", "2***"));
                same(where, "turn-release", List.of(lock, turns, queue), field, "0", CHANNEL, again);
                reservationEnds(turns, 9_000);
            }
            case 9, 10 -> {
                String tokens = one(List.of("1", "100", "2000000"));
                same(
                        where,
                        "turn-transfer",
                        List.of(lock, CLOCK, turns, queue),
                        field,
                        one(FIELDS),
                        lease,
                        "1",
                        tokens);
            }
            case 11 -> same(where, "acquire", List.of(lock, CLOCK), field, lease, "1");
            case 12 -> reservationEnds(turns, -1_000);
            case 13 -> {
                same(where, "force", List.of(lock), CHANNEL);
                both("ZADD", queue, "1", "wc9:1:1");
            }
            case 14 -> byHand(lock, field);
            case 18 -> same(where, "turn-give-up", List.of(lock, turns, queue), field, CHANNEL);
            case 19 -> wordAges(turns);
            case 15, 16, 17 -> proposeInTurn(where, List.of(lock, CLOCK, turns), field, lease);
            default -> {
                String key = one(List.of(lock, turns, queue, queue));
                both("DEL", key);
                if (random.nextInt(4) == 0) {
                    both("SET", turns, "no word");
                }
            }
        }
    }

    /** As at one of several stores. */
    private void proposeInTurn(String where, List<String> three, String field, String lease) {
        long now = data.micros();
        String token = Long.toString(now + Long.parseLong(one(List.of("-9000000", "5000000", "10000000"))));
        String since = one(List.of("-1", "0", "1000", Long.toString(now - TimeUnit.SECONDS.toMicros(100))));
        same(
                where,
                "turn-propose",
                three,
                field,
                lease,
                "1",
                token,
                "600000000",
                since,
                one(List.of("1", "*", "****")));
    }

    /** Each word is a minute older. */
    private void wordAges(String turns) {
        List<String> words = isSorted(turns) ? raw.list("ZRANGE", turns, "0", "8") : List.of();
        for (String word : words) {
            if (!word.equals("reserved")) {
                addScore(turns, -TimeUnit.MINUTES.toMicros(1), word);
            }
        }
    }

    /** If there is one: in so many ms, by both clocks. */
    private void reservationEnds(String turns, long inMillis) {
        if (isSorted(turns) && raw.text("ZSCORE", turns, "reserved") != null) {
            long until = data.micros() / 1_000 + inMillis;
            both("ZADD", turns, "XX", Long.toString(-until), "reserved");
        }
    }

    private void step(String where) {
        String lock = one(LOCKS);
        String field = one(FIELDS);
        String other = one(FIELDS);
        String lease = Long.toString(LEAST_LEASE_MILLIS + random.nextInt(60_000));
        String count = Integer.toString(random.nextInt(4));
        String level = Integer.toString(1 + random.nextInt(3));
        String keeps = random.nextInt(4) == 0 ? "0" : "1";
        String begin = random.nextInt(3) == 0 ? "1" : "0";
        long now = data.micros();
        String token = Long.toString(
                now + TimeUnit.SECONDS.toMicros(List.of(-9, -4, 5, 10, 900).get(random.nextInt(5))));
        List<String> two = List.of(lock, CLOCK);
        List<String> three = List.of(lock, CLOCK, COUNTER);
        String epoch = Integer.toString(random.nextInt(2));
        String pause = random.nextBoolean() ? "600000" : "0";
        switch (random.nextInt(38)) {
            case 0, 1, 2 -> same(where, "acquire", two, field, lease, keeps);
            case 3 -> same(where, "reenter", List.of(lock), field, level, lease);
            case 4, 5 -> same(where, "release", List.of(lock), field, count, CHANNEL);
            case 6, 7 -> same(where, "transfer", two, field, other, lease, keeps);
            case 8 -> same(where, "renew", LOCKS, field, lease, other, "1");
            case 9, 10 -> same(where, "propose", two, field, lease, keeps, token, "600000000");
            case 11 -> same(where, "adopt", two, field, token, keeps);
            case 12 -> same(where, "force", List.of(lock), CHANNEL);
            case 13 -> same(where, "inspect", List.of(lock), CHANNEL);
            case 14 -> same(where, "fenced-set", List.of(VALUE), token, "value" + count);
            case 15 -> same(where, "fenced-get", List.of(VALUE), random.nextBoolean() ? token : "0", count + "0");
            case 16 -> same(where, "mark", List.of(MARKER), "run" + count);
            case 17 -> same(where, "marked", List.of(MARKER));
            case 18 -> same(where, "join", two, field, level, lease, keeps, token);
            case 19 -> same(where, "acquire", three, field, lease, keeps, begin);
            case 20 -> same(where, "transfer", three, field, other, lease, keeps, begin);
            case 21 -> same(where, "term", List.of(TERM), epoch);
            case 23 -> same(where, "looks", searched(lock, VALUE, CLOCK, "nothing"), begin, CHANNEL, "b", CHANNEL, "d");
            case 24 -> same(where, "scan", List.of(), "0", "MATCH", one(PATTERNS), "COUNT", "1000", "TYPE", "hash");
            case 25 ->
                same(where, "record", List.of(one(RECORDS)), one(List.of("0", lease)), "since", count, "host", field);
            case 26 ->
                same(where, "clients", List.of(RECORDS.get(0), one(RECORDS), "nothing"), "host", "since", "none");
            case 28, 29, 30 -> latch(where, field, count, level);
            case 31 -> same(where, "observe", List.of(lock, LEADER));
            case 32 ->
                same(where, "proclaim", List.of(lock, LEADER), field, "id" + count, "value", level, lease, CHANNEL);
            case 22 -> guarded(where, lock, field, other, lease, epoch, pause, begin);
            case 33 -> same(where, "rights", List.of("holdfast:unused"), CHANNEL, "get KEY", "publish CHANNEL 0");
            case 34, 35, 36 -> whileMoved(where, lock, field, lease, token);
            default -> byHand(lock, field);
        }
    }

    /** The keys that a look at these names. */
    private static List<String> searched(String... locks) {
        return Stream.of(locks)
                .flatMap(lock -> Stream.of(lock, lock + ":readers", lock + ":queue"))
                .toList();
    }

    private void guarded(
            String where,
            String lock,
            String field,
            String other,
            String lease,
            String epoch,
            String pause,
            String early) {
        List<String> two = List.of(TERM, lock, CLOCK);
        switch (random.nextInt(4)) {
            case 0 -> same(where, "guarded-acquire", two, field, lease, "1", epoch, pause, early);
            case 1 -> same(where, "guarded-reenter", List.of(TERM, lock), field, "2", lease, epoch, pause, early);
            case 2 -> same(where, "guarded-transfer", two, field, other, lease, "1", epoch, pause, early);
            default -> same(where, "guarded-renew", List.of(TERM, lock), field, lease, epoch, pause, early);
        }
    }

    private void whileMoved(String where, String lock, String field, String lease, String token) {
        switch (random.nextInt(5)) {
            case 0, 1 -> same(where, "take", List.of(lock), field, lease);
            case 2 -> same(where, "mint", List.of(CLOCK));
            case 3 -> same(where, "tell", List.of(), CHANNEL, "0");
            default -> same(where, "confirm", List.of(lock), field, token);
        }
    }

    private void latch(String where, String id, String count, String level) {
        List<String> two = List.of(LATCH, COUNTED);
        // Generations are times of day, which differ a little: each store is told its own.
        boolean known = random.nextInt(4) > 0;
        switch (random.nextInt(8)) {
            case 0, 1 -> each(where, "latch-set", List.of(LATCH, COUNTED, CLOCK), known, id + count, level, GENERATION);
            case 2, 3, 4 -> each(where, "latch-count", two, known, id + count, GENERATION, CHANNEL);
            case 5 -> each(where, "latch-look", two, known);
            case 6 -> each(where, "latch-delete", two, known, GENERATION, CHANNEL);
            default -> {
                if (random.nextBoolean()) {
                    same(where, "signal-send", List.of(SIGNAL), CHANNEL);
                } else {
                    same(where, "signal-look", List.of(SIGNAL));
                }
            }
        }
    }

    /** What users and servers do to data: it runs out, is deleted, kept for ever, or made something else. */
    private void byHand(String lock, String field) {
        String written = one(BY_HAND);
        String key = one(List.of(
                lock, lock, CLOCK, COUNTER, VALUE, MARKER, TERM, RECORDS.get(0), LATCH, SIGNAL, COUNTED, LEADER));
        switch (random.nextInt(7)) {
            case 0 -> {
                raw.command("PEXPIRE", lock, "1");
                await().until(() -> raw.integer("EXISTS", lock) == 0);
                both("PEXPIRE", lock, "1");
                clock.step(2_000_000);
                assertThat(data.exists(LuaString.valueOf(lock))).isFalse();
            }
            case 1 -> both("PERSIST", lock);
            case 2, 3 -> both("DEL", key);
            case 4 -> both("SET", key, written);
            case 5 -> {
                String of = one(List.of("token", "since", "value", "count", "version", GENERATION, field));
                both("DEL", key);
                both("HSET", key, of, written);
            }
            default -> {
                if (isHash(lock)) {
                    both("HSET", lock, "token", written);
                }
            }
        }
    }

    /** Runs a command at both servers. */
    private void both(String... command) {
        full(false);
        raw.command(command);
        ask(command);
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    // --- both servers ---

    private void same(String where, String name, List<String> keys, String... arguments) {
        String call = where + ": " + name + " " + keys + " " + List.of(arguments);
        assertNear(call, simulated(name, keys, arguments), real(name, keys, arguments));
        assertSameData("data after " + call);
    }

    /** The same of deadlines, of which some are so near that only a clock decides which comes first. */
    private void sameInAnyOrder(String where, String name, List<String> keys, String... arguments) {
        assertThat(simulated(name, keys, arguments))
                .as("%s: %s %s %s", where, name, keys, List.of(arguments))
                .containsExactlyInAnyOrderElementsOf(real(name, keys, arguments));
    }

    /** The same with the generation that each server has for the latch, or with none. */
    private void each(String where, String name, List<String> keys, boolean known, String... arguments) {
        String call = where + ": " + name + " " + List.of(arguments) + (known ? "" : ", no generation");
        boolean isThere = known && isHash(LATCH);
        String mine = isThere ? (String) ask("HGET", LATCH, GENERATION) : null;
        String its = isThere ? raw.text("HGET", LATCH, GENERATION) : null;
        assertNear(call, simulated(name, keys, told(arguments, mine)), real(name, keys, told(arguments, its)));
        assertSameData("data after " + call);
    }

    private static String[] told(String[] arguments, @Nullable String generation) {
        return Stream.of(arguments)
                .map(each -> each.equals(GENERATION) ? generation == null ? "0" : generation : each)
                .toArray(String[]::new);
    }

    private List<String> simulated(String name, List<String> keys, String... arguments) {
        called.add(name);
        adjustClock();
        try {
            return flat(run(SCRIPTS.get(name), keys, arguments));
        } catch (ScriptRefusal refusal) {
            return List.of(refusal.kind().name());
        } catch (LuaError error) {
            return List.of(Fault.Kind.SERVER_ERROR.name());
        }
    }

    private @Nullable Object run(Script script, List<String> keys, String... arguments) {
        ScriptArgs words = new ScriptArgs();
        keys.forEach(key -> words.key(key.getBytes(StandardCharsets.UTF_8)));
        Stream.of(arguments).forEach(argument -> words.arg(argument.getBytes(StandardCharsets.UTF_8)));
        data.begin(Keyspace.Cause.RELEASED);
        return answer(interpreter.run(script, words.keys(), words.arguments()));
    }

    private static @Nullable Object answer(ScriptReply reply) {
        return reply.isList()
                ? IntStream.range(0, reply.size())
                        .mapToObj(i -> answer(reply.get(i)))
                        .collect(Collectors.toCollection(ArrayList::new))
                : reply.text();
    }

    /** The answer of a command at the simulated server. */
    private @Nullable Object ask(String... command) {
        return run(ANY_COMMAND, List.of(), command);
    }

    private static List<String> real(String name, List<String> keys, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("EVAL", SCRIPTS.get(name).source(), Integer.toString(keys.size())));
        command.addAll(keys);
        command.addAll(List.of(arguments));
        try {
            return flat(raw.command(command.toArray(String[]::new)));
        } catch (RedisErrorReply refused) {
            String words = String.valueOf(refused.getMessage());
            return List.of(Stream.of(Fault.Kind.WRONGTYPE, Fault.Kind.OOM)
                    .filter(kind -> words.contains(kind.name()))
                    .findFirst()
                    .orElse(Fault.Kind.SERVER_ERROR)
                    .name());
        }
    }

    /** An answer, flat; a bracket stands before what is in a list within. */
    private static List<String> flat(@Nullable Object answer) {
        if (!(answer instanceof List<?> several)) {
            return List.of(String.valueOf(answer));
        }
        List<String> texts = new ArrayList<>();
        for (Object each : several) {
            if (each instanceof List<?>) {
                texts.add("[");
            }
            texts.addAll(flat(each));
        }
        return texts;
    }

    private void assertSameData(String what) {
        List<String> keys = data.keys().stream()
                .filter(data::exists)
                .map(LuaString::tojstring)
                .sorted()
                .toList();
        assertThat(keys).as(what).containsExactlyInAnyOrderElementsOf(raw.list("KEYS", "*"));
        data.begin(Keyspace.Cause.RELEASED);
        keys.forEach(key -> assertNear(what + ": " + key, content(this::ask, key), content(raw::command, key)));
    }

    /** The time to live and the value of a key, in an order that does not depend on the server. */
    private static List<String> content(Function<String[], @Nullable Object> server, String key) {
        List<String> content = new ArrayList<>(flat(server.apply(words("PTTL", key))));
        String type = String.valueOf(server.apply(words("TYPE", key)));
        content.add(type);
        switch (type) {
            case "hash" -> addPairs(content, flat(server.apply(words("HGETALL", key))));
            case "zset" -> addPairs(content, flat(server.apply(words("ZRANGE", key, "0", "-1", "WITHSCORES"))));
            case "set" -> content.addAll(new TreeSet<>(flat(server.apply(words("SMEMBERS", key)))));
            default -> content.addAll(flat(server.apply(words("GET", key))));
        }
        return content;
    }

    private static String[] words(String... words) {
        return words;
    }

    private static void addPairs(List<String> content, List<String> namesAndValues) {
        Map<String, String> pairs = new TreeMap<>();
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            pairs.put(namesAndValues.get(i), namesAndValues.get(i + 1));
        }
        pairs.forEach((name, value) -> content.addAll(List.of(name, value)));
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
}
