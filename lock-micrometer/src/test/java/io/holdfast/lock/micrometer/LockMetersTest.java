package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.ConnectionEvent.Change;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.micrometer.TestEvent.OfConnection;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What events and looks become, with events and clients made by hand. */
class LockMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void everyMeterWhoseTagsAreKnownBeginsWithZero() {
        LockMeters.of(registry);
        assertThat(ids())
                .containsExactlyInAnyOrder(
                        "holdfast.lock.wait{outcome=granted}",
                        "holdfast.lock.wait{outcome=handed.over}",
                        "holdfast.lock.wait{outcome=refused}",
                        "holdfast.lock.wait{outcome=timeout}",
                        "holdfast.lock.wait{outcome=error}",
                        "holdfast.lock.hold{outcome=released}",
                        "holdfast.lock.hold{outcome=lost}",
                        "holdfast.lock.active{}",
                        "holdfast.lock.waiters{}",
                        "holdfast.lock.lost{reason=lease.expired}",
                        "holdfast.lock.lost{reason=not.renewed}",
                        "holdfast.lock.lost{reason=key.gone}",
                        "holdfast.lock.lost{reason=failed.over}",
                        "holdfast.lock.lost{reason=forced}",
                        "holdfast.lock.lost{reason=max.hold}",
                        "holdfast.lock.lost{reason=client.closed}",
                        "holdfast.lock.renewal{outcome=renewed}",
                        "holdfast.lock.renewal{outcome=failed}",
                        "holdfast.listener.missed{}");
        assertThat(registry.getMeters()).allSatisfy(meter -> assertThat(meter.measure())
                .allSatisfy(measurement -> assertThat(measurement.getValue()).isZero()));
    }

    @Test
    void everyEndOfACallIsOneOutcome() {
        LockMeters meters = LockMeters.of(registry);
        TestEvent event = TestEvent.of("a", 5);
        meters.acquired(event);
        meters.acquired(event.byHandOver());
        meters.reentered(event);
        meters.refused(event.failed(FailureReason.HELD_BY_ANOTHER));
        meters.refused(event.failed(FailureReason.WITHDRAWN));
        meters.refused(event.failed(FailureReason.NOT_GRANTED));
        meters.refused(event.failed(FailureReason.NO_ANSWER));
        meters.refused(event.failed(FailureReason.OOM));
        meters.refused(event.failed(FailureReason.CLIENT_CLOSED));
        assertThat(waits("granted")).isEqualTo(1);
        assertThat(waits("handed.over")).isEqualTo(1);
        assertThat(waits("refused")).isEqualTo(2);
        assertThat(waits("timeout")).isEqualTo(1);
        assertThat(waits("error")).isEqualTo(3);
        assertThat(registry.get("holdfast.lock.wait")
                        .tag("outcome", "granted")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
    }

    @Test
    void holdsLossesAndRenewalsAreCounted() {
        LockMeters meters = LockMeters.of(registry);
        TestEvent event = TestEvent.of("a", 5);
        meters.released(event);
        meters.transferred(event);
        meters.lost(event.lost(LossReason.KEY_GONE));
        meters.renewed(event);
        meters.renewalFailed(event.failed(FailureReason.NO_ANSWER));
        meters.missed(12);
        assertThat(registry.get("holdfast.lock.hold")
                        .tag("outcome", "released")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("holdfast.lock.hold")
                        .tag("outcome", "lost")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("holdfast.lock.lost")
                        .tag("reason", "key.gone")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("holdfast.lock.renewal")
                        .tag("outcome", "renewed")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("holdfast.lock.renewal")
                        .tag("outcome", "failed")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("holdfast.listener.missed").counter().count()).isEqualTo(12);
    }

    @Test
    void listedNamesHaveTheirMetersFromTheStartAndOthersAreOther() {
        LockMeters meters = LockMeters.of(registry, LockNameTag.exact("report", "stock"));
        assertThat(ids())
                .contains(
                        "holdfast.lock.wait{lock=report,outcome=timeout}",
                        "holdfast.lock.hold{lock=stock,outcome=lost}",
                        "holdfast.lock.active{lock=report}",
                        "holdfast.lock.waiters{lock=other}");
        meters.acquired(TestEvent.of("report", 1));
        meters.acquired(TestEvent.of("else", 1));
        assertThat(granted("report")).isEqualTo(1);
        assertThat(granted("stock")).isZero();
        assertThat(granted("other")).isEqualTo(1);
    }

    @Test
    void aTagHasAHundredValuesAndOneWarningSaysSo() {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(TagValues.class);
        appender.start();
        logger.addAppender(appender);
        try {
            LockMeters meters = LockMeters.of(registry, LockNameTag.masked());
            for (int i = 0; i < 250; i++) {
                meters.acquired(TestEvent.of("lock-" + letters(i), 1));
            }
        } finally {
            logger.detachAppender(appender);
        }
        assertThat(registry.find("holdfast.lock.wait").tag("outcome", "granted").timers())
                .hasSize(101);
        assertThat(granted("other")).isEqualTo(150);
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("tag 'lock' has 100 values, and more are to be told apart: they are counted as 'other'"
                        + " (expected: fewer, as by LockNameTag.exact)");
    }

    @Test
    void namesThatAreNoneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNameTag.exact())
                .withMessageContaining("1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNameTag.exact("a", ""))
                .withMessageContaining("empty");
    }

    @Test
    void gaugesAreTheSumOfAllClientsOfARegistry() {
        TestClient first = new TestClient().holding("a", "b").connectedTo("one", true, 3);
        TestClient second =
                new TestClient().holding("a").connectedTo("one", true, 4).connectedTo("two", false, 0);
        second.waiters.addAll(List.of("a", "c"));
        LockMeters.of(registry).watch(first.client);
        LockMeters other = LockMeters.of(registry);
        other.watch(second.client);
        other.watch(second.client);
        assertThat(gauge("holdfast.lock.active")).isEqualTo(3);
        assertThat(gauge("holdfast.lock.waiters")).isEqualTo(2);
        assertThat(gauge("holdfast.client.connections", "node", "one", "purpose", "commands"))
                .isEqualTo(2);
        assertThat(gauge("holdfast.client.queue", "node", "one", "purpose", "commands"))
                .isEqualTo(7);
        assertThat(gauge("holdfast.client.connections", "node", "two", "purpose", "commands"))
                .isZero();
    }

    @Test
    void theGaugesOfAClosedClientLeave() {
        TestClient first = new TestClient().holding("a").connectedTo("one", true, 0);
        TestClient second = new TestClient().holding("a").connectedTo("two", true, 0);
        LockMeters meters = LockMeters.of(registry);
        meters.watch(first.client);
        meters.watch(second.client);
        second.closed = true;
        meters.connection(OfConnection.of(Change.DOWN, "two").because(FailureReason.CLIENT_CLOSED));
        assertThat(registry.find("holdfast.client.connections").gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.getId().getTag("node")).isEqualTo("one"));
        assertThat(gauge("holdfast.lock.active")).isEqualTo(1);
        meters.forget(first.client);
        assertThat(registry.find("holdfast.client.queue").gauges()).isEmpty();
        assertThat(gauge("holdfast.lock.active")).isZero();
    }

    @Test
    void gaugesHaveTheTagOfWhatIsHeldWhetherOrNotItWasTold() {
        TestClient client = new TestClient().holding("order:1", "order:2", "report");
        LockMeters.of(registry, LockNameTag.masked()).watch(client.client);
        LockMeters told = LockMeters.of(registry, LockNameTag.masked());
        told.acquired(TestEvent.of("order:3", 1));
        assertThat(gauge("holdfast.lock.active", "lock", "order:*")).isEqualTo(2);
        assertThat(gauge("holdfast.lock.active", "lock", "report")).isEqualTo(1);
    }

    @Test
    void theGaugesOfAScrapeLookOnceWhereThereIsMuchToSee() {
        TestClient client = new TestClient();
        for (int i = 0; i < 20_000; i++) {
            client.holds.add("lock-" + letters(i % 50));
        }
        LockMeters.of(registry, LockNameTag.masked()).watch(client.client);
        registry.forEachMeter(Meter::measure);
        int first = client.looks.get();
        registry.forEachMeter(Meter::measure);
        assertThat(client.looks.get() - first).isLessThanOrEqualTo(3);
        client.holds.clear();
        await().untilAsserted(
                        () -> assertThat(registry.find("holdfast.lock.active").gauges())
                                .hasSize(50)
                                .allSatisfy(gauge -> assertThat(gauge.value()).isZero()));
    }

    @Test
    void aConnectionMadeAgainIsAReconnectAndTheFirstIsNone() {
        LockMeters meters = LockMeters.of(registry);
        meters.connection(OfConnection.of(Change.UP, "one"));
        assertThat(reconnects("one")).isZero();
        meters.connection(OfConnection.of(Change.DOWN, "one").because(FailureReason.DISCONNECTED));
        meters.connection(OfConnection.of(Change.UNREACHABLE, "one").because(FailureReason.UNREACHABLE));
        meters.connection(OfConnection.of(Change.UP, "one"));
        assertThat(reconnects("one")).isEqualTo(1);
        meters.connection(OfConnection.of(Change.DOWN, "one").because(FailureReason.DISCONNECTED));
        meters.connection(OfConnection.of(Change.FAILED_OVER, "two"));
        meters.connection(OfConnection.of(Change.UP, "one"));
        assertThat(reconnects("one")).isEqualTo(1);
        assertThat(reconnects("two")).isEqualTo(1);
        assertThat(registry.get("holdfast.client.failovers")
                        .tag("node", "two")
                        .counter()
                        .count())
                .isEqualTo(1);
        meters.connection(OfConnection.of(Change.DOWN, "one").because(FailureReason.CLIENT_CLOSED));
        meters.connection(OfConnection.of(Change.UP, "one"));
        assertThat(reconnects("one")).isEqualTo(1);
    }

    private List<String> ids() {
        return registry.getMeters().stream().map(meter -> text(meter.getId())).toList();
    }

    private static String text(Meter.Id id) {
        return id.getName() + "{"
                + String.join(
                        ",",
                        id.getTags().stream()
                                .map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
                                .toList())
                + "}";
    }

    private long waits(String outcome) {
        return registry.get("holdfast.lock.wait")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private long granted(String lock) {
        return registry.get("holdfast.lock.wait")
                .tags("outcome", "granted", "lock", lock)
                .timer()
                .count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private double reconnects(String node) {
        return registry.get("holdfast.client.reconnects")
                .tag("node", node)
                .counter()
                .count();
    }

    /** A number in letters that are no digits of base 16. */
    private static String letters(int number) {
        return Integer.toString(number)
                .chars()
                .mapToObj(digit -> String.valueOf((char) ('m' + digit - '0')))
                .reduce("", String::concat);
    }
}
