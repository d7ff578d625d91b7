package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/**
 * Options in any combination: the first that is out of its range is refused by its name, contradictions are refused by
 * the names of both, and all else is built and can be read again, from the options and from their text.
 */
class OptionCombinationsTest {

    private static final Duration LONGEST = Duration.ofDays(3650);

    /** What is told of the first setter, in the order of the calls, that does not like its value. */
    private final List<String> refused = new ArrayList<>();

    @Property(tries = 1_000)
    void ofLocks(
            @ForAll("times") Duration watchdogLease,
            @ForAll("maybeTimes") Optional<Duration> lease,
            @ForAll("maybeTimes") Optional<Duration> maxHold,
            @ForAll KeyScheme keyScheme,
            @ForAll("prefixes") String prefix) {
        LockOptions.Builder builder = LockOptions.builder().keyScheme(keyScheme);
        set("watchdogLease", watchdogLease, LockOptions.MIN_WATCHDOG_LEASE, builder::watchdogLease);
        lease.ifPresent(time -> set("lease", time, LockOptions.MIN_LEASE, builder::lease));
        maxHold.ifPresent(time -> set("maxHold", time, LockOptions.MIN_LEASE, builder::maxHold));
        set("prefix", prefix, isPrefix(prefix), builder::prefix);
        if (!refused.isEmpty()) {
            return;
        }
        Optional<String> contradiction = maxHold.flatMap(longest -> lease.isPresent()
                ? lease.filter(time -> time.compareTo(longest) > 0).map(time -> "lease: " + Durations.of(time))
                : Optional.of(watchdogLease)
                        .filter(time -> time.compareTo(longest) > 0)
                        .map(time -> "watchdogLease: " + Durations.of(time)));
        if (contradiction.isPresent()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(builder::build)
                    .withMessageStartingWith(contradiction.get() + " contradicts maxHold: ");
            return;
        }

        LockOptions options = builder.build();

        assertThat(options.watchdogLease()).isEqualTo(watchdogLease);
        assertThat(options.lease()).isEqualTo(lease);
        assertThat(options.maxHold()).isEqualTo(maxHold);
        assertThat(options.keyScheme()).isEqualTo(keyScheme);
        assertThat(options.prefix()).isEqualTo(prefix);
        assertThat(options.toBuilder().build()).isEqualTo(options).hasSameHashCodeAs(options);
        assertThat(options)
                .hasToString("LockOptions{watchdogLease=" + Durations.of(watchdogLease) + ", lease="
                        + lease.map(Durations::of).orElse("none") + ", maxHold="
                        + maxHold.map(Durations::of).orElse("none") + ", keyScheme=" + keyScheme + ", prefix="
                        + prefix + ", listener=none}");
    }

    @Property(tries = 1_000)
    void ofClients(
            @ForAll("times") Duration connectTimeout,
            @ForAll("times") Duration commandTimeout,
            @ForAll("times") Duration heartbeat,
            @ForAll("times") Duration maxOutage,
            @ForAll("times") Duration backoffMin,
            @ForAll("times") Duration backoffMax,
            @ForAll("sizes") int queueLimit,
            @ForAll("sizes") int ioThreads,
            @ForAll IoTransport transport,
            @ForAll("clientNames") String clientName,
            @ForAll boolean lazy) {
        Duration least = Duration.ofMillis(1);
        ClientOptions.Builder builder =
                ClientOptions.builder().transport(transport).lazy(lazy);
        set("connectTimeout", connectTimeout, least, builder::connectTimeout);
        set("commandTimeout", commandTimeout, least, builder::commandTimeout);
        set("heartbeat", heartbeat, least, builder::heartbeat);
        set("maxOutage", maxOutage, least, builder::maxOutage);
        set("backoffMin", backoffMin, least, builder::backoffMin);
        set("backoffMax", backoffMax, least, builder::backoffMax);
        set("queueLimit", queueLimit, queueLimit >= 1 && queueLimit <= 1 << 24, builder::queueLimit);
        set("ioThreads", ioThreads, ioThreads >= 1 && ioThreads <= 256, builder::ioThreads);
        set("clientName", clientName, isClientName(clientName), builder::clientName);
        if (!refused.isEmpty()) {
            return;
        }
        if (backoffMin.compareTo(backoffMax) > 0) {
            assertThatIllegalArgumentException()
                    .isThrownBy(builder::build)
                    .withMessageStartingWith("backoffMin: " + Durations.of(backoffMin) + " contradicts backoffMax: "
                            + Durations.of(backoffMax));
            return;
        }
        if (commandTimeout.compareTo(maxOutage) > 0) {
            assertThatIllegalArgumentException()
                    .isThrownBy(builder::build)
                    .withMessageStartingWith(
                            "commandTimeout: " + Durations.of(commandTimeout) + " contradicts maxOutage: ");
            return;
        }

        ClientOptions options = builder.build();

        assertThat(options.connectTimeout()).isEqualTo(connectTimeout);
        assertThat(options.commandTimeout()).isEqualTo(commandTimeout);
        assertThat(options.heartbeat()).isEqualTo(heartbeat);
        assertThat(options.maxOutage()).isEqualTo(maxOutage);
        assertThat(options.backoffMin()).isEqualTo(backoffMin);
        assertThat(options.backoffMax()).isEqualTo(backoffMax);
        assertThat(options.queueLimit()).isEqualTo(queueLimit);
        assertThat(options.ioThreads()).isEqualTo(ioThreads);
        assertThat(options.transport()).isEqualTo(transport);
        assertThat(options.clientName()).isEqualTo(clientName);
        assertThat(options.lazy()).isEqualTo(lazy);
        assertThat(options.toBuilder().build()).isEqualTo(options).hasSameHashCodeAs(options);
        assertThat(options.toString())
                .contains(
                        "connectTimeout=" + Durations.of(connectTimeout) + ",",
                        "commandTimeout=" + Durations.of(commandTimeout) + ",",
                        "maxOutage=" + Durations.of(maxOutage) + ",",
                        "backoffMin=" + Durations.of(backoffMin) + ",",
                        "backoffMax=" + Durations.of(backoffMax) + ",",
                        "queueLimit=" + queueLimit + ",",
                        "ioThreads=" + ioThreads + ",",
                        "transport=" + transport + ",",
                        "clientName=" + clientName + ",",
                        "lazy=" + lazy + ",");
    }

    @Property(tries = 500)
    void ofQuorums(
            @ForAll("maybeTimes") Optional<Duration> nodeTimeout,
            @ForAll boolean fencing,
            @ForAll boolean restartGuard,
            @ForAll("times") Duration longestLease,
            @ForAll("times") Duration clockMargin) {
        QuorumOptions.Builder builder = QuorumOptions.builder().fencing(fencing).restartGuard(restartGuard);
        nodeTimeout.ifPresent(time -> set("nodeTimeout", time, Duration.ofMillis(1), builder::nodeTimeout));
        set("longestLease", longestLease, LockOptions.MIN_LEASE, builder::longestLease);
        set("clockMargin", clockMargin, Duration.ofSeconds(1), builder::clockMargin);
        if (!refused.isEmpty()) {
            return;
        }

        QuorumOptions options = builder.build();

        assertThat(options.nodeTimeout()).isEqualTo(nodeTimeout);
        assertThat(options.fencing()).isEqualTo(fencing);
        assertThat(options.restartGuard()).isEqualTo(restartGuard);
        assertThat(options.longestLease()).isEqualTo(longestLease);
        assertThat(options.clockMargin()).isEqualTo(clockMargin);
        assertThat(options.toBuilder().build())
                .isEqualTo(options)
                .hasSameHashCodeAs(options)
                .hasToString(options.toString());
        assertThat(options.toString())
                .contains(
                        nodeTimeout
                                .map(time -> "nodeTimeout=" + Durations.of(time) + ",")
                                .orElse("nodeTimeout=a tenth of the lease"),
                        "fencing=" + fencing + ",",
                        "restartGuard=" + restartGuard + ",",
                        "longestLease=" + Durations.of(longestLease) + ",",
                        "clockMargin=" + Durations.of(clockMargin) + "}");
    }

    /** Were nearly all combinations refused, the properties would say little about the others. */
    @Test
    void mostTimesAreWithinTheirRange() {
        List<Duration> sample = times().sampleStream().limit(1_000).toList();

        assertThat(sample)
                .filteredOn(time -> time.compareTo(LockOptions.MIN_WATCHDOG_LEASE) >= 0 && time.compareTo(LONGEST) <= 0)
                .hasSizeGreaterThan(700);
    }

    /** Times on both sides of every limit, and more often than not far from all of them. */
    @Provide
    Arbitrary<Duration> times() {
        Arbitrary<Duration> edges = Arbitraries.of(
                Duration.ofSeconds(-1),
                Duration.ZERO,
                Duration.ofNanos(999_999),
                Duration.ofMillis(1),
                Duration.ofNanos(9_999_999),
                Duration.ofMillis(10),
                Duration.ofNanos(99_999_999),
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                LONGEST,
                LONGEST.plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE));
        Arbitrary<Duration> usual = Arbitraries.longs().between(100, 600_000).map(Duration::ofMillis);
        return Arbitraries.frequencyOf(Tuple.of(1, edges), Tuple.of(9, usual));
    }

    @Provide
    Arbitrary<Optional<Duration>> maybeTimes() {
        return times().optional();
    }

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.frequency(
                Tuple.of(1, -1),
                Tuple.of(1, 0),
                Tuple.of(9, 1),
                Tuple.of(9, 256),
                Tuple.of(1, 257),
                Tuple.of(1, (1 << 24) + 1));
    }

    @Provide
    Arbitrary<String> prefixes() {
        return Arbitraries.of(
                        "holdfast",
                        "a",
                        "shop:1",
                        "%7B",
                        "token",
                        ":fenced:x",
                        "",
                        "a{b",
                        "a}",
                        "ä",
                        "x".repeat(128),
                        "x".repeat(129))
                .flatMap(text ->
                        Arbitraries.of(text, text, text, text + ":token", text + ":fenced", text + "*", text + " "));
    }

    @Provide
    Arbitrary<String> clientNames() {
        return Arbitraries.of("", "holdfast", "shop-1", "{x}", "my shop", "línea", "x".repeat(64), "x".repeat(65));
    }

    private void set(String name, Duration value, Duration least, Consumer<Duration> setter) {
        set(name, value, value.compareTo(least) >= 0 && value.compareTo(LONGEST) <= 0, setter);
    }

    private <T> void set(String name, T value, boolean allowed, Consumer<T> setter) {
        if (allowed) {
            setter.accept(value);
            return;
        }
        String shown = value instanceof Duration time
                ? Durations.of(time)
                : value instanceof String ? "'" + value + "'" : String.valueOf(value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setter.accept(value))
                .withMessageStartingWith(name + ": " + shown + " (expected: ");
        refused.add(name);
    }

    private static boolean isPrefix(String text) {
        return text.matches("[!-~&&[^{}*?\\[\\]\\\\]]{1,128}") && !text.endsWith(":token") && !text.endsWith(":fenced");
    }

    private static boolean isClientName(String text) {
        return text.matches("[!-~]{1,64}");
    }
}
