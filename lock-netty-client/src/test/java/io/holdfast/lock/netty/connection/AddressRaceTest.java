package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AddressRaceTest {

    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final Map<String, EmbeddedChannel> channels = new HashMap<>();
    private final Map<String, ChannelPromise> promises = new HashMap<>();
    private final List<String> events = new ArrayList<>();

    @BeforeEach
    void stopTheClock() {
        clock.freezeTime();
    }

    @AfterEach
    void finish() {
        clock.finishAndReleaseAll();
        channels.values().forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void familiesAlternateAndTheFirstOneStays() {
        assertThat(inTurn("::1", "::2", "::3", "1.1.1.1", "1.1.1.2"))
                .containsExactly("::1", "1.1.1.1", "::2", "1.1.1.2", "::3");
        assertThat(inTurn("1.1.1.1", "1.1.1.2", "::1")).containsExactly("1.1.1.1", "::1", "1.1.1.2");
        assertThat(inTurn("1.1.1.1", "1.1.1.2")).containsExactly("1.1.1.1", "1.1.1.2");
    }

    @Test
    void anAddressHasAHeadStart() {
        race("::1", "1.1.1.1", "::2").run();
        pass(249);
        assertThat(events).containsExactly("start ::1");
        pass(1);
        assertThat(events).containsExactly("start ::1", "start 1.1.1.1");
        pass(250);
        assertThat(events).containsExactly("start ::1", "start 1.1.1.1", "start ::2");
    }

    @Test
    void theNextStartsAtOnceWhenOneHasFailed() {
        race("::1", "1.1.1.1", "::2").run();
        refuse("::1");
        assertThat(events).containsExactly("start ::1", "failed no way", "start 1.1.1.1");
        pass(249);
        assertThat(events).hasSize(3);
        pass(1);
        assertThat(events).endsWith("start ::2");
    }

    @Test
    void theFirstThatIsConnectedWinsAndOthersAreClosed() {
        race("::1", "1.1.1.1", "::2").run();
        pass(250);
        connect("1.1.1.1");
        assertThat(events).endsWith("won 1.1.1.1");
        assertThat(channels.get("::1").isOpen()).isFalse();
        assertThat(channels.get("1.1.1.1").isOpen()).isTrue();
        pass(1_000);
        assertThat(events).endsWith("won 1.1.1.1");
    }

    @Test
    void anAddressThatAnswersTooLateIsClosed() {
        race("::1", "1.1.1.1").run();
        EmbeddedChannel late = channels.get("::1");
        pass(250);
        connect("1.1.1.1");
        promises.get("::1").trySuccess();
        assertThat(late.isOpen()).isFalse();
        assertThat(events).containsOnlyOnce("won 1.1.1.1").doesNotContain("won ::1");
    }

    @Test
    void theOthersRaceOnWhenAWinnerIsOfNoUse() {
        AddressRace race = race("::1", "1.1.1.1", "::2");
        race.run();
        pass(250);
        connect("1.1.1.1");
        assertThat(race.left()).isEqualTo(2);
        events.clear();
        race.run();
        pass(250);
        assertThat(events).containsExactly("start ::1", "start ::2");
        refuse("::1");
        refuse("::2");
        assertThat(events).endsWith("lost");
        assertThat(race.left()).isZero();
    }

    @Test
    void aStoppedRaceLeavesNothingOpen() {
        AddressRace race = race("::1", "1.1.1.1", "::2");
        race.run();
        pass(250);
        race.stop();
        pass(1_000);
        assertThat(events).containsExactly("start ::1", "start 1.1.1.1");
        assertThat(channels.values()).noneMatch(Channel::isOpen);
    }

    @Test
    void everyAddressStartsWithinTheBudget() {
        String[] many = IntStream.range(0, 20).mapToObj(i -> "1.1.1." + i).toArray(String[]::new);
        race(many).run();
        pass(3_000);
        assertThat(events).hasSize(20);
    }

    private static List<String> inTurn(String... addresses) {
        return AddressRace.alternating(addresses(addresses)).stream()
                .map(AddressRaceTest::shortened)
                .toList();
    }

    /** A race with a budget of 3 s. */
    private AddressRace race(String... addresses) {
        return new AddressRace(clock.eventLoop(), addresses(addresses), TimeUnit.SECONDS.toNanos(3), new Stadium());
    }

    private void connect(String address) {
        promises.get(address).setSuccess();
    }

    private void refuse(String address) {
        channels.get(address).close();
        promises.get(address).tryFailure(new IOException("no way"));
    }

    private void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            clock.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            clock.runScheduledPendingTasks();
        }
    }

    private static List<InetSocketAddress> addresses(String... addresses) {
        return Stream.of(addresses).map(AddressRaceTest::address).toList();
    }

    private static InetSocketAddress address(String address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), 1);
        } catch (UnknownHostException notAnAddress) {
            throw new IllegalArgumentException(notAnAddress);
        }
    }

    private static String shortened(SocketAddress address) {
        return ((InetSocketAddress) address).getAddress().getHostAddress().replaceFirst("^0(:0)+:", "::");
    }

    private final class Stadium implements AddressRace.Course {

        @Override
        public ChannelFuture connect(SocketAddress address) {
            String name = shortened(address);
            EmbeddedChannel channel = new EmbeddedChannel();
            ChannelPromise promise = channel.newPromise();
            channels.put(name, channel);
            promises.put(name, promise);
            events.add("start " + name);
            return promise;
        }

        @Override
        public void failed(@Nullable Throwable obstacle) {
            events.add("failed " + (obstacle == null ? "" : obstacle.getMessage()));
        }

        @Override
        public void won(Channel channel, SocketAddress address) {
            events.add("won " + shortened(address));
        }

        @Override
        public void lost() {
            events.add("lost");
        }
    }
}
