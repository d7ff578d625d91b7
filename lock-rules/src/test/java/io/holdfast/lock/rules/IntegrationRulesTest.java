package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The modules around the core keep to their layers; one that does not is found out. */
@Tag("once")
class IntegrationRulesTest {

    private static final IntegrationRules OURS = new IntegrationRules("io.holdfast.lock");
    private static final IntegrationRules BAD = new IntegrationRules("io.holdfast.lock.rules.bad");

    private static final JavaClasses PUBLISHED = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("lock-testkit"))
            .importPackages(OURS.root());

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
    void everyModuleIsLookedAt() {
        assertThat(Stream.of("engine", "netty", "memory", "micrometer", "spring", "boot"))
                .allMatch(module -> PUBLISHED.stream()
                        .anyMatch(type -> type.getPackageName().startsWith(OURS.root() + "." + module)));
    }

    @Test
    void aCoreThatSeesAnIntegrationIsRejected() {
        assertThat(violations(BAD.coreKnowsNoIntegration())).contains("EngineWithSpring");
    }

    @Test
    void locksInMemoryThatSeeNettyAreRejected() {
        assertThat(violations(BAD.memoryIsATransport())).contains("MemoryWithNetty");
    }

    @Test
    void metersThatSeeTheEngineAreRejected() {
        assertThat(violations(BAD.metersKnowTheApi())).contains("MetersThatSeeTheEngine");
    }

    @Test
    void springThatSeesBootIsRejected() {
        assertThat(violations(BAD.springKnowsTheApi())).contains("SpringWithBoot");
        assertThat(violations(BAD.onlyTheStarterSeesBoot()))
                .contains("SpringWithBoot")
                .doesNotContain("StarterWithTheTransport");
    }

    @Test
    void aStarterThatSeesTheTransportIsRejected() {
        assertThat(violations(BAD.theStarterUsesWhatApplicationsUse())).contains("StarterWithTheTransport");
    }

    private static String violations(ArchRule rule) {
        return String.join("\n", rule.evaluate(FIXTURES).getFailureReport().getDetails());
    }
}
