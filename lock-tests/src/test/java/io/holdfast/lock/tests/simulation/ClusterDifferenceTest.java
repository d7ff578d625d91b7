package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.support.SharedServerCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.luaj.vm2.LuaString;

/**
 * The nodes of a simulated cluster and those of a real one answer in the same way, whichever keys of a call are where while its
 * slot moves.
 */
@Tag("proof")
@ExtendWith(SharedServerCluster.class)
class ClusterDifferenceTest {

    private static final String LOCK = "holdfast:{moved}";
    private static final String CLOCK = "holdfast:token:{moved}";
    private static final String ELSEWHERE = "holdfast:{elsewhere}";
    private static final String CHANNEL = "holdfast:{moved}:free";
    private static final int SLOT = ServerCluster.slotOf(LOCK);
    private static final long SPREAD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How far a slot has moved. */
    enum Stage {
        NOT_BEGUN,
        BEGUN,
        LOCK_MOVED,
        CLOCK_MOVED,
        ALL_MOVED,
        OVER;

        boolean isMoved(String key) {
            return this == ALL_MOVED || this == OVER || this == (key.equals(LOCK) ? LOCK_MOVED : CLOCK_MOVED);
        }
    }

    /** What is asked for: a script, its keys, and a key that it reaches for without having named it. */
    enum Question {
        LOCK_ALONE(List.of(LOCK)),
        CLOCK_ALONE(List.of(CLOCK)),
        BOTH(List.of(LOCK, CLOCK)),
        ONE_KEY_TWICE(List.of(LOCK, LOCK)),
        WITHOUT_KEYS(List.of()),
        TWO_SLOTS(List.of(LOCK, ELSEWHERE)),
        REACHING_FOR_THE_CLOCK(List.of(LOCK), CLOCK),
        PUBLISHING(List.of(LOCK), ""),
        /** Last: it changes something. */
        TOUCHING_WHAT_IT_DELETED(
                List.of(CLOCK), "redis.call('DEL', KEYS[1]) return redis.call('EXISTS', KEYS[1])", List.of());

        private final Script script;
        private final List<String> keys;
        private final List<String> arguments;

        Question(List<String> keys) {
            this(keys, "return #KEYS", List.of());
        }

        /** @param reached the key; empty: the channel, and to publish there */
        Question(List<String> keys, String reached) {
            this(
                    keys,
                    reached.isEmpty()
                            ? "return redis.call('PUBLISH', ARGV[1], '0')"
                            : "return redis.call('EXISTS', ARGV[1])",
                    List.of(reached.isEmpty() ? CHANNEL : reached));
        }

        Question(List<String> keys, String source, List<String> arguments) {
            this.script = new Script(name(), source);
            this.keys = keys;
            this.arguments = arguments;
        }

        String[] command() {
            // As the transport does it: in a cluster messages are those of the slot.
            String source = script.source().replace("PUBLISH", "SPUBLISH");
            List<String> words = new ArrayList<>(List.of("EVAL", source, Integer.toString(keys.size())));
            words.addAll(keys);
            words.addAll(arguments);
            return words.toArray(String[]::new);
        }

        Request request(boolean asking) {
            Request request = Request.of(new ScriptCall(script, SLOT, 0, 0) {
                @Override
                public void encode(Args out) {
                    keys.forEach(key -> out.key(bytes(key)));
                    arguments.forEach(argument -> out.arg(bytes(argument)));
                }

                @Override
                public void onOverdue() {}

                @Override
                public void onReply(Reply reply) {}

                @Override
                public void onFault(Fault fault) {}
            });
            request.asking = asking;
            return request;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A node, by what it has to do with the move. */
    private record Part(String name, RedisServer real, SimulatedServer simulated) {}

    private ServerCluster cluster;
    private World world;
    private SimulatedCluster simulated;
    private List<Part> parts;

    @BeforeEach
    void begin(ServerCluster shared) {
        cluster = shared;
        world = new World(1, null);
        List<SimulatedServer> servers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            servers.add(new SimulatedServer(
                    world, i, new Clock(world, 0, 0), 1_700_000_000_000_000L, new Chance(1, i), Unconcerned.WITNESS));
        }
        simulated = new SimulatedCluster(world, new Chance(1, 9), servers, 3);
        RedisServer realSource = cluster.masterOf(SLOT);
        SimulatedServer source = simulated.primary(SLOT);
        List<RedisServer> realOthers =
                cluster.masters().stream().filter(node -> node != realSource).toList();
        List<SimulatedServer> others =
                simulated.primaries().stream().filter(node -> node != source).toList();
        parts = List.of(
                new Part("source", realSource, source),
                new Part("target", realOthers.get(0), others.get(0)),
                new Part("third", realOthers.get(1), others.get(1)));
        for (Question question : Question.values()) {
            servers.forEach(server -> server.load(question.script));
        }
    }

    @AfterEach
    void putRight() {
        cluster.reset();
    }

    @ParameterizedTest
    @EnumSource
    void itAnswersAsARealOneWhereverTheKeysAre(Stage stage) {
        for (List<String> present : List.of(List.of(LOCK, CLOCK), List.of(CLOCK), List.<String>of())) {
            putRight();
            begin(cluster);
            present.forEach(this::set);
            move(stage, present);
            Map<String, String> expected = new LinkedHashMap<>();
            Map<String, String> actual = new LinkedHashMap<>();
            for (Part part : parts) {
                for (boolean asking : new boolean[] {false, true}) {
                    for (Question question : Question.values()) {
                        String what = question + " at the " + part.name + (asking ? ", asking" : "");
                        expected.put(what, real(part.real, asking, question.command()));
                        actual.put(what, answer(part.simulated.run(question.request(asking), false)));
                    }
                    String what = "subscription at the " + part.name + (asking ? ", asking" : "");
                    expected.put(what, real(part.real, asking, "SSUBSCRIBE", CHANNEL));
                    actual.put(
                            what, answer(part.simulated.slots().refusalOfChannel(LuaString.valueOf(CHANNEL), asking)));
                }
            }
            assertThat(actual).as(stage + " with " + present).isEqualTo(expected);
        }
    }

    @Test
    void aKeyThatIsAtBothNodesStaysWhereItIs() {
        set(LOCK);
        SlotMove move = cluster.beginMove(SLOT, parts.get(1).real);
        SimulatedCluster.Move other = simulated.begin(SLOT, parts.get(1).simulated);
        try (RawRedis target = parts.get(1).real.connect()) {
            target.asking("SET", LOCK, "1");
        }
        parts.get(1).simulated.keys().set(LuaString.valueOf(LOCK), LuaString.valueOf("1"));
        String refused = "";
        try {
            move.moveKey(LOCK);
        } catch (RedisErrorReply error) {
            refused = String.valueOf(error.getMessage());
        }
        assertThat(refused).contains("BUSYKEY");
        assertThat(other.moveKey(LuaString.valueOf(LOCK))).isFalse();
        assertThat(move.keysLeft()).containsExactly(LOCK);
        assertThat(other.keysLeft()).containsExactly(LuaString.valueOf(LOCK));
    }

    @Test
    void aSubscriptionEndsWithTheSlotThatItBelongsTo() {
        Part source = parts.get(0);
        try (RawRedis listening = source.real.connect()) {
            listening.command("SSUBSCRIBE", CHANNEL);
            cluster.moveSlot(SLOT, parts.get(1).real);
            assertThat(String.valueOf(listening.receive())).contains("sunsubscribe", CHANNEL);
        }
        List<String> ended = new ArrayList<>();
        source.simulated.execute(listener(ended), Request.listen(LuaString.valueOf(CHANNEL), true, false));
        simulated.begin(SLOT, parts.get(1).simulated).finish();
        spread();
        assertThat(ended).containsExactly("end of " + CHANNEL);
    }

    private Connection listener(List<String> heard) {
        SimulatedClient client = new SimulatedClient(
                world,
                0,
                new Clock(world, 0, 0),
                new Chance(1, 20),
                ClientOptions.builder().clientRecord(false).build(),
                Climate.USUAL,
                simulated,
                true,
                List.of());
        return new Connection(
                world,
                client,
                parts.get(0).simulated,
                new Route(world, new Chance(1, 21), false),
                new Connection.Client() {
                    @Override
                    public void answered(Connection from, Answer answer) {
                        heard.add(answer.toString());
                    }

                    @Override
                    public void ended(Connection connection, String detail) {}
                },
                new Chance(1, 22));
    }

    // --- both clusters ---

    private void set(String key) {
        try (RawRedis source = parts.get(0).real.connect()) {
            source.command("SET", key, "1");
        }
        parts.get(0).simulated.keys().set(LuaString.valueOf(key), LuaString.valueOf("1"));
    }

    private void move(Stage stage, List<String> present) {
        if (stage == Stage.NOT_BEGUN) {
            return;
        }
        SlotMove real = cluster.beginMove(SLOT, parts.get(1).real);
        SimulatedCluster.Move move = simulated.begin(SLOT, parts.get(1).simulated);
        present.stream().filter(stage::isMoved).forEach(key -> {
            assertThat(real.moveKey(key)).isTrue();
            assertThat(move.moveKey(LuaString.valueOf(key))).isTrue();
        });
        if (stage == Stage.OVER) {
            real.finish();
            await().until(() -> parts.stream().allMatch(part -> knowsTheTarget(part.real)));
            move.finish();
            spread();
        }
    }

    private boolean knowsTheTarget(RedisServer node) {
        String said = real(node, false, Question.LOCK_ALONE.command());
        return said.equals(node == parts.get(1).real ? "done" : "MOVED " + SLOT + " target");
    }

    private void spread() {
        long until = world.nanos() + SPREAD_NANOS;
        world.after(SPREAD_NANOS, () -> {});
        while (world.nanos() < until) {
            world.stepOn();
        }
    }

    private String real(RedisServer node, boolean asking, String... command) {
        try (RawRedis connection = node.connect()) {
            if (asking) {
                connection.asking(command);
            } else {
                connection.command(command);
            }
            return "done";
        } catch (RedisErrorReply refused) {
            String words = String.valueOf(refused.getMessage());
            for (Part part : parts) {
                words = words.replace(part.real.host() + ":" + part.real.port(), part.name);
            }
            return words.contains("non local key") ? "non local key" : words;
        }
    }

    private String answer(@Nullable Answer answer) {
        if (answer == null || answer.error() == null) {
            return "done";
        }
        String words = String.valueOf(answer.words());
        for (Part part : parts) {
            words = words.replace(part.simulated.name + ":" + SimulatedCluster.PORT, part.name);
        }
        return answer.error() == Fault.Kind.SERVER_ERROR ? "non local key" : words;
    }
}
