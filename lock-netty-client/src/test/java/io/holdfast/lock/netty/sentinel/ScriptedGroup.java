package io.holdfast.lock.netty.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.topology.FakeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sentinels that know each other, and two servers of which one is the primary. */
final class ScriptedGroup implements AutoCloseable {

    static final String NAME = "orders";
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Says "one" to each script. */
    final FakeServer one;
    /** Says "two" to each script. */
    final FakeServer two;

    final List<ScriptedSentinel> sentinels = new ArrayList<>();

    private ScriptedGroup(FakeServer one, FakeServer two) {
        this.one = one;
        this.two = two;
    }

    /** So many, all of which name the first server in epoch 1. */
    static ScriptedGroup of(int sentinels) {
        try {
            return of(
                    sentinels,
                    FakeServer.start(command -> FakeServer.answerTo(command, "+one\r\n")),
                    FakeServer.start(command -> FakeServer.answerTo(command, "+two\r\n")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ScriptedGroup of(int sentinels, FakeServer one, FakeServer two) {
        ScriptedGroup group = new ScriptedGroup(one, two);
        for (int i = 0; i < sentinels; i++) {
            group.sentinels.add(ScriptedSentinel.start());
        }
        group.all(each -> {
            each.names(one, 1);
            each.knows(group.sentinels);
        });
        return group;
    }

    ScriptedSentinel get(int number) {
        return sentinels.get(number);
    }

    void all(Consumer<ScriptedSentinel> change) {
        sentinels.forEach(change);
    }

    /** The address of a client that was told of all of them. */
    String url() {
        return url(sentinels.toArray(new ScriptedSentinel[0]));
    }

    static String url(ScriptedSentinel... seeds) {
        return "redis-sentinel://"
                + Stream.of(seeds).map(each -> each.address().node()).collect(Collectors.joining(","))
                + "/" + NAME;
    }

    ClientNode connect() {
        return connect(ClientNode.options().build());
    }

    /** A client that hears all Sentinels. */
    ClientNode connect(ClientOptions options) {
        ClientNode node = ClientNode.connect(url(), options);
        awaitListeners();
        return node;
    }

    void awaitListeners() {
        all(each -> await().atMost(PATIENCE).until(each::hasListener));
    }

    /** All name the second server in epoch 2, and one of them says so. */
    void failOver() {
        all(each -> each.names(two, 2));
        get(0).tell(message());
    }

    /** A message that makes a client ask. */
    String message() {
        return NAME + " 127.0.0.1 " + one.port() + " 127.0.0.1 " + two.port();
    }

    /** Has a client ask three more times, and waits until it has. */
    void awaitRounds(ScriptedSentinel asked) {
        for (int i = 0; i < 3; i++) {
            int before = asked.rounds();
            asked.tell(message());
            await().atMost(PATIENCE).until(() -> asked.rounds() > before);
        }
    }

    static void awaitAnswer(ClientNode node, String answer) {
        await().atMost(PATIENCE).until(() -> answer.equals(node.echo("where").await()));
    }

    /** It was always connected to where it is. */
    static void assertNotMoved(ClientNode node) {
        assertThat(node.echo("where").await()).isEqualTo("one");
        assertThat(node.news).hasSize(1);
    }

    @Override
    public void close() {
        all(ScriptedSentinel::close);
        try {
            one.close();
            two.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
