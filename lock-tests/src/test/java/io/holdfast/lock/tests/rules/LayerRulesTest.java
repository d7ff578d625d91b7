package io.holdfast.lock.tests.rules;

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
    private static final LayerRules BAD = new LayerRules("io.holdfast.lock.tests.rules.bad");

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
    void api_that_sees_the_engine_is_rejected() {
        assertThat(violations(BAD.api())).contains("ApiThatSeesTheEngine");
    }

    @Test
    void door_that_leads_elsewhere_is_rejected() {
        assertThat(violations(BAD.doors())).contains("MultiLock", "EngineWithNetty");
        assertThat(violations(BAD.api())).doesNotContain("MultiLock");
    }

    @Test
    void client_maker_that_sees_a_transport_is_rejected() {
        assertThat(violations(BAD.clients())).contains("ClientsThatSeeNetty");
    }

    @Test
    void spi_that_sees_more_than_the_jdk_is_rejected() {
        assertThat(violations(BAD.spi())).contains("SpiWithLogger");
    }

    @Test
    void engine_that_sees_netty_is_rejected() {
        assertThat(violations(BAD.engine())).contains("EngineWithNetty");
    }

    @Test
    void codec_that_sees_connections_is_rejected() {
        assertThat(violations(BAD.codec())).contains("CodecThatSeesConnections", "CodecThatSeesTheEngine");
    }

    @Test
    void only_the_root_of_the_transport_may_see_the_engine() {
        assertThat(violations(BAD.onlyTheRootSeesTheEngine()))
                .contains("CodecThatSeesTheEngine")
                .doesNotContain("CompositionRoot");
    }

    @Test
    void a_cycle_is_rejected() {
        assertThat(violations(BAD.noCycles())).contains("ConnectionInACycle", "CodecThatSeesConnections");
    }

    @Test
    void engine_with_time_chance_or_order_of_its_own_is_rejected_each_way() {
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
    void sleeping_printing_and_the_wall_clock_are_rejected() {
        assertThat(violations(BAD.noWallClock())).contains("PublishedThatPrints.print()", ".sleep()", ".wallClock()");
    }

    @Test
    void a_public_type_on_no_list_is_rejected() {
        assertThat(violations(BAD.noPublicTypesButTheIntended())).contains("EngineWithNetty");
    }

    private static String violations(ArchRule rule) {
        return String.join("\n", rule.evaluate(FIXTURES).getFailureReport().getDetails());
    }

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
