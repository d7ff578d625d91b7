package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** With all rules no invariant can be broken; without any one of them the invariant that it guards can. */
@Tag("proof")
@Tag("once")
class ModelsTest {

    @TestFactory
    Stream<DynamicTest> withAllRulesEverythingHoldsAndWithoutOneItDoesNot() {
        return Finding.all().stream().map(ModelsTest::test);
    }

    @TestFactory
    @Tag("long")
    Stream<DynamicTest> withAllRulesEverythingHoldsAlsoWithinLargerBounds() {
        return Subject.ALL.stream()
                .flatMap(subject -> Finding.withAllRules(subject, true).stream())
                .map(ModelsTest::test);
    }

    private static DynamicTest test(Finding finding) {
        Rule without = finding.without();
        return DynamicTest.dynamicTest(finding.name(), () -> {
            Counterexample found = finding.exploration().counterexample();
            if (without == null) {
                assertThat(found).as("counterexample").isNull();
            } else {
                assertThat(found).as("counterexample").isNotNull();
                assertThat(found.broken()).isEqualTo(without.leftOut().guards());
            }
        });
    }
}
