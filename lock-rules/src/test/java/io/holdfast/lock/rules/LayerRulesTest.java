package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.netty.NettyLockProvider;
import java.net.URL;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published code keeps to its layers; code that does not is found out. */
class LayerRulesTest {
    private static final LayerRules OURS = new LayerRules("io.holdfast.lock");
    private static final LayerRules BAD = new LayerRules("io.holdfast.lock.rules.bad");

    private static final JavaClasses PUBLISHED =
            new ClassFileImporter().importUrls(List.of(location(LockClient.class), location(NettyLockProvider.class)));
    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(BAD.root());

    static Stream<ArchRule> rules() {
        return OURS.all().stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holds(ArchRule rule) {
        rule.check(PUBLISHED);
    }

    @Test
    void apiThatSeesTheEngineIsRejected() {
        assertThat(violations(BAD.api())).contains("ApiThatSeesTheEngine");
    }

    @Test
    void aDoorThatLeadsElsewhereIsRejected() {
        assertThat(violations(BAD.doors())).contains("MultiLock", "EngineWithNetty");
        assertThat(violations(BAD.api())).doesNotContain("MultiLock");
    }

    @Test
    void aClientMakerThatSeesATransportIsRejected() {
        assertThat(violations(BAD.clients())).contains("ClientsThatSeeNetty");
    }

    @Test
    void spiThatSeesMoreThanTheJdkIsRejected() {
        assertThat(violations(BAD.spi())).contains("SpiWithLogger");
    }

    @Test
    void optionsThatSeeTheSpiAreRejected() {
        assertThat(violations(BAD.options())).contains("OptionsThatSeeTheSpi");
    }

    @Test
    void engineThatSeesNettyIsRejected() {
        assertThat(violations(BAD.engine())).contains("EngineWithNetty");
    }

    @Test
    void codecThatSeesConnectionsIsRejected() {
        assertThat(violations(BAD.codec())).contains("CodecThatSeesConnections", "CodecThatSeesTheEngine");
    }

    @Test
    void tlsThatSeesConnectionsIsRejected() {
        assertThat(violations(BAD.tls())).contains("TlsThatSeesConnections");
    }

    @Test
    void aCallIntoCodeOfUsersThatSeesConnectionsIsRejected() {
        assertThat(violations(BAD.guests())).contains("GuestThatSeesConnections");
    }

    @Test
    void aConnectionThatMentionsTheOptionalHandlerIsRejected() {
        assertThat(violations(BAD.onlyTheEnginesKnowTheOptionalHandler())).contains("ConnectionWithTheOptionalHandler");
    }

    @Test
    void onlyTheRootOfTheTransportMaySeeTheEngine() {
        assertThat(violations(BAD.onlyTheRootSeesTheEngine()))
                .contains("CodecThatSeesTheEngine")
                .doesNotContain("CompositionRoot");
    }

    @Test
    void aCycleIsRejected() {
        assertThat(violations(BAD.noCycles())).contains("ConnectionInACycle", "CodecThatSeesConnections");
    }

    /** The engine's rooms are packages of their own, so that a circle among them is one. */
    @Test
    void aCycleOfTwoRoomsIsRejected() {
        assertThat(violations(BAD.noCycles())).contains("HoldThatSeesItsWaiters", "WaiterOfAHold");
    }

    @Test
    void aRoomThatSeesOneAboveItIsRejected() {
        assertThat(violations(BAD.room("hold"))).contains("HoldThatSeesItsWaiters");
        assertThat(violations(BAD.room("wait"))).isEmpty();
    }

    @Test
    void aTypeOutsideOfTheRoomsIsRejected() {
        assertThat(violations(BAD.noTypeOutsideOfTheRooms())).contains("EngineWithNetty");
    }

    @Test
    void engineWithTimeChanceOrOrderOfItsOwnIsRejectedEachWay() {
        assertThat(violations(BAD.deterministicEngine()))
                .contains(
                        ".nanoTime()",
                        ".nanoTimeByReference()",
                        ".currentTimeMillis()",
                        ".identityHashCode()",
                        ".sleep()",
                        ".park()",
                        ".threadLocalRandom()",
                        ".uuid()",
                        ".setOf()",
                        ".mapOf()",
                        ".ownThread()");
    }

    @Test
    void sleepingPrintingAndTheWallClockAreRejected() {
        assertThat(violations(BAD.noWallClock())).contains("PublishedThatPrints.print()", ".sleep()", ".wallClock()");
    }

    @Test
    void aPublicTypeOnNoListIsRejected() {
        assertThat(violations(BAD.noPublicTypesButTheIntended())).contains("EngineWithNetty");
    }

    private static String violations(ArchRule rule) {
        return String.join("\n", rule.evaluate(FIXTURES).getFailureReport().getDetails());
    }

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
